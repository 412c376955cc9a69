package presets

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/cards/kit"
	cardspresets "darkroom/cards/presets"
	"darkroom/commands/answer"
	"darkroom/jobs/answers"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// OpenPhotos opens the form that says what the photos of a preset's orders must be.
func (c *Handler) OpenPhotos(ctx context.Context, r bot.Request) error {
	channel, id, ok := cardspresets.ParsePhotos(r.Value)
	if !ok {
		return nil // the menu was cleared
	}
	return c.windows.Open(ctx, r, "preset-photos", cardspresets.TitlePhotos, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if err := c.actsIn(ctx, r, channel); err != nil {
			return nil, err
		}
		preset, err := c.presets.ByID(ctx, r.Team, channel, id)
		if err != nil {
			return nil, err
		}
		if preset == nil {
			return nil, answer.Refuse(cardspresets.NotDone(false), "")
		}
		return answer.Static(cardspresets.PhotosWindow(channel, *preset, window)), nil
	})
}

// SavePhotos saves what the photos of a preset's orders must be, on the ack path. It is idempotent.
func (c *Handler) SavePhotos(ctx context.Context, r bot.Request) (bot.Reply, error) {
	form, problems := cardspresets.DecodePhotos(*r.View)
	if form.Channel == "" || form.ID == "" {
		return photosNotice(r, cardspresets.LostPhotos), nil
	}
	err := c.actsIn(ctx, r, form.Channel)
	if refusal, ok := errors.AsType[answer.Refusal](err); ok {
		return photosNotice(r, refusal.Sentence), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if problems != nil {
		return bot.Errors(problems), nil
	}
	view, err := c.requirePreset(ctx, r, form)
	return bot.Update(view), err
}

// requirePreset saves the form's rules and returns the window that says so.
func (c *Handler) requirePreset(ctx context.Context, r bot.Request, form cardspresets.PhotosForm) (slack.ModalViewRequest, error) {
	operator, err := c.access.IsOperatorNow(ctx, r)
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	err = c.presets.RequirePreset(ctx, r.Team, form.Channel, form.ID, form.Requires, operator)
	switch {
	case errors.Is(err, store.ErrPresetPinned), errors.Is(err, store.ErrNoPreset):
		return kit.Notice(cardspresets.TitlePhotos, cardspresets.NotDone(errors.Is(err, store.ErrPresetPinned)), r.View.ExternalID), nil
	case err != nil:
		return slack.ModalViewRequest{}, err
	}
	preset, err := c.presets.ByID(ctx, r.Team, form.Channel, form.ID)
	if err != nil || preset == nil {
		return kit.Notice(cardspresets.TitlePhotos, cardspresets.NotDone(false), r.View.ExternalID), err
	}
	return cardspresets.PhotosSaved(preset.Name, form.Requires, r.View.ExternalID), nil
}

func photosNotice(r bot.Request, sentence string) bot.Reply {
	return bot.Update(kit.Notice(cardspresets.TitlePhotos, sentence, r.View.ExternalID))
}
