package announce

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Pictures fetches a preview from the service's address, for Slack which could not.
type Pictures interface {
	Fetch(ctx context.Context, url string) ([]byte, error)
	// Look fetches it and keeps nothing: is it there, and how soon?
	Look(ctx context.Context, url string) error
}

type uploader interface {
	identifier
	UploadImage(ctx context.Context, name string, data []byte) (file string, err error)
}

// previewFill copies the previews that Slack could not fetch into a review that is out.
type previewFill struct {
	slack    uploader
	pictures Pictures
	copyTime time.Duration
	copying  places
	record   *record
	filling  *filling
	log      *slog.Logger
}

const (
	// processing is how often Slack is asked whether it has looked at an upload: only then
	// can a message show it. That takes up to half a minute (slack-github-action#413).
	processing = 3 * time.Second
	// processed is when Slack is surely done with an upload.
	processed = 90 * time.Second
	// copyTime is how long the previews of one message may wait until there is room for them, and how long
	// they may then take to be copied.
	copyTime = 30 * time.Second
	// mostCopying previews are held in memory at once, of all reviews of all workspaces.
	mostCopying = 8
)

// exec uploads the previews of an event's images, once, and puts them into its reply
// as soon as Slack can show them. A review that ended meanwhile shows none.
func (f *previewFill) exec(ctx context.Context, a *announcement, job store.AnnounceJob) error {
	e, p, events, err := f.record.replyTo(ctx, a, job.Previews)
	if err != nil || p.TS == "" || len(p.Sheets) > 0 {
		return err
	}
	if !a.live(e, events) {
		return f.filling.settleAgain(ctx, a, e, p, events)
	}
	wanted := f.wanted(a, e, cards.RoundHistoryOf(a.tracked, events, e), job.Missing)
	if a.state.Copies == nil || a.state.Crowded {
		if err := f.copyPreviews(ctx, a, wanted); err != nil {
			return err
		}
	}
	if !f.chooseLast(a, wanted, job.Unasked) && len(a.state.Copies) == 0 {
		return nil
	}
	p.Copies = maps.Clone(p.Copies)
	if p.Copies == nil {
		p.Copies = cards.Copies{}
	}
	maps.Copy(p.Copies, a.state.Copies)
	return f.filling.fill(ctx, a, e, p, events)
}

// wanted are the images of a review whose previews it lacks.
func (f *previewFill) wanted(a *announcement, e order.Event, course cards.RoundHistory, missing []string) []order.EditedImage {
	return slices.DeleteFunc(cards.ReviewPictures(a.tracked, e, course), func(i order.EditedImage) bool {
		return len(missing) > 0 && !slices.Contains(missing, i.Thumb)
	})
}

// chooseLast leaves out the previews that have no copy, but for those that only this process could not get
// in time: Slack, which was not asked for them, may. It says whether there are any.
func (f *previewFill) chooseLast(a *announcement, wanted []order.EditedImage, unasked []string) (some bool) {
	for _, image := range wanted {
		last := !a.state.Asked && slices.Contains(unasked, image.Thumb) && a.state.Copies[image.Thumb] == "" && !slices.Contains(a.state.Missing, image.Thumb)
		if some = some || last; !last {
			a.leaveOut([]string{image.Thumb})
		}
	}
	return some
}

// copyPreviews uploads the previews of these images; what cannot be copied is left out. It is put off while previews of
// other reviews take all the room.
func (f *previewFill) copyPreviews(stopping context.Context, a *announcement, images []order.EditedImage) error {
	ctx, cancel := context.WithTimeout(stopping, 2*f.copyTime)
	defer cancel()
	copies, crowded := f.copied(ctx, a, slices.DeleteFunc(slices.Clone(images), func(i order.EditedImage) bool { return a.state.Copies[i.Thumb] != "" }))
	if err := stopping.Err(); err != nil {
		return err // another worker makes them
	}
	m := a.state
	maps.Copy(copies, m.Copies)
	m.Copies, m.Copied, m.Crowded = copies, time.Now(), crowded
	if err := a.save(context.WithoutCancel(ctx), m); err != nil || !crowded {
		return err
	}
	return queue.Wait(processing)
}

// copied uploads them side by side, so that a slow one holds up no other. crowded says that there was no room for some.
func (f *previewFill) copied(ctx context.Context, a *announcement, images []order.EditedImage) (copies cards.Copies, crowded bool) {
	copies = cards.Copies{}
	if me, err := f.slack.Identity(ctx); err == nil && !me.Granted("files:write") { // it is optional, and the start said that it is not granted
		f.log.InfoContext(ctx, "previews stay links: the app may not upload files", "order", a.id)
		return copies, false
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	soon, cancel := context.WithTimeout(ctx, f.copyTime)
	defer cancel()
	var mu sync.Mutex
	var copying errgroup.Group
	copying.SetLimit(mostCopying)
	for _, image := range images {
		copying.Go(func() error {
			file, err := f.copyPreview(ctx, soon, image)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				copies[image.Thumb] = file
			case errors.Is(err, client.ErrMissingScope), errors.Is(err, client.ErrNotAllowed):
				f.log.WarnContext(ctx, "previews not copied", "order", a.id, "err", err)
				stop()
			case errors.Is(err, errCrowded) && ctx.Err() == nil:
				crowded = true
			default:
				f.log.InfoContext(ctx, "preview not copied", "order", a.id, "image", image.ID, "err", err)
			}
			return nil
		})
	}
	_ = copying.Wait() // what failed was said
	return copies, crowded
}

// errCrowded says that there was no room for a preview for as long as it could wait.
var errCrowded = errors.New("too many previews at once")

// copyPreview copies one, if there soon is room for it.
func (f *previewFill) copyPreview(ctx, soon context.Context, image order.EditedImage) (file string, err error) {
	if err := f.copying.take(soon); err != nil {
		return "", fmt.Errorf("%w: %w", errCrowded, err)
	}
	defer f.copying.leave()
	data, err := f.pictures.Fetch(ctx, image.Thumb)
	if err != nil {
		return "", err
	}
	return f.slack.UploadImage(ctx, cards.PreviewName(image), data)
}
