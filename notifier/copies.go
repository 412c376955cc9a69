package notifier

import (
	"bytes"
	"context"
	"errors"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/upstream"
)

const (
	// processing is how long Slack works on an upload before a message can show it.
	processing = 3 * time.Second
	// copyTime bounds the copying of all previews of one message.
	copyTime = 30 * time.Second
)

// wantsCopies tells that a message with these previews, if Slack cannot fetch one, is
// better shown with copies of them than without.
func (v *visit) wantsCopies(e store.Event) bool {
	return e.Kind == store.Ready && v.pictures != nil && v.memory.Copies == nil
}

// copyPreviews uploads the previews of an event's images, once for each job; what cannot
// be copied is left out. Then it waits until Slack can show them.
func (v *visit) copyPreviews(ctx context.Context, e store.Event) error {
	ctx, cancel := context.WithTimeout(ctx, copyTime)
	defer cancel()
	copies := cards.Copies{}
	for _, image := range cards.Previewed(e.Order.EditedImages) {
		file, err := v.copyPreview(ctx, image)
		if errors.Is(err, bot.ErrMissingScope) || errors.Is(err, bot.ErrNotAllowed) {
			v.log.WarnContext(ctx, "previews not copied", "order", v.id, "err", err)
			break
		}
		if err != nil {
			v.log.InfoContext(ctx, "preview not copied", "order", v.id, "image", image.ID, "err", err)
			continue
		}
		copies[image.Thumb] = file
	}
	m := v.memory
	m.Copies = copies
	if err := v.remember(context.WithoutCancel(ctx), m); err != nil {
		return err
	}
	return pause(processing)
}

func (v *visit) copyPreview(ctx context.Context, image upstream.EditedImage) (file string, err error) {
	data, err := v.pictures.Fetch(ctx, image.Thumb)
	if err != nil {
		return "", err
	}
	return v.slack.UploadImage(ctx, "", "", cards.PreviewName(image), bytes.NewReader(data), int64(len(data)))
}
