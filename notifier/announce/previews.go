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

// Pictures fetches previews from the service for Slack, which could not.
type Pictures interface {
	Fetch(ctx context.Context, url string) ([]byte, error)
	// Look fetches a preview and discards it, to check that it exists and how fast it is.
	Look(ctx context.Context, url string) error
}

type uploader interface {
	identifier
	UploadImage(ctx context.Context, name string, data []byte) (file string, err error)
}

// previewFill copies previews that Slack could not fetch into a posted review.
type previewFill struct {
	slack    uploader
	pictures Pictures
	copyTime time.Duration
	copying  previewSlots
	record   *record
	filling  *filling
	log      *slog.Logger
}

const (
	// processing is the interval at which Slack is asked to show an upload. Slack must process it first,
	// up to half a minute (slack-github-action#413).
	processing = 3 * time.Second
	// processed is when Slack has surely processed an upload.
	processed = 90 * time.Second
	// copyTime is how long a message's previews may wait for slots, and then take to be copied.
	copyTime = 30 * time.Second
	// mostCopying bounds the previews in memory, over all workspaces.
	mostCopying = 8
)

// exec uploads an event's previews once, and puts them into its reply once Slack can show them. A review
// that ended meanwhile shows none.
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

// wanted returns the review's images whose previews are missing.
func (f *previewFill) wanted(a *announcement, e order.Event, history cards.RoundHistory, missing []string) []order.EditedImage {
	return slices.DeleteFunc(cards.ReviewPictures(a.tracked, e, history), func(i order.EditedImage) bool {
		return len(missing) > 0 && !slices.Contains(missing, i.Thumb)
	})
}

// chooseLast leaves out previews without a copy. It keeps those that were too slow for this process only:
// Slack may fetch them. It reports whether there are any.
func (f *previewFill) chooseLast(a *announcement, wanted []order.EditedImage, unasked []string) (some bool) {
	for _, image := range wanted {
		last := !a.state.Asked && slices.Contains(unasked, image.Thumb) && a.state.Copies[image.Thumb] == "" && !slices.Contains(a.state.Missing, image.Thumb)
		if some = some || last; !last {
			a.leaveOut([]string{image.Thumb})
		}
	}
	return some
}

// copyPreviews uploads previews and leaves out those that fail. It waits while other reviews use all
// slots.
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

// copied uploads previews concurrently. crowded reports that some got no slot.
func (f *previewFill) copied(ctx context.Context, a *announcement, images []order.EditedImage) (copies cards.Copies, crowded bool) {
	copies = cards.Copies{}
	if me, err := f.slack.Identity(ctx); err == nil && !me.Granted("files:write") { // the scope is optional; the start logs that it is missing
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
	_ = copying.Wait() // each failure is logged above
	return copies, crowded
}

// errCrowded is the error of a preview that got no slot in time.
var errCrowded = errors.New("too many previews at once")

// copyPreview copies one preview if it gets a slot soon.
func (f *previewFill) copyPreview(ctx, soon context.Context, image order.EditedImage) (file string, err error) {
	if err := f.copying.acquire(soon); err != nil {
		return "", fmt.Errorf("%w: %w", errCrowded, err)
	}
	defer f.copying.release()
	data, err := f.pictures.Fetch(ctx, image.Thumb)
	if err != nil {
		return "", err
	}
	return f.slack.UploadImage(ctx, cards.PreviewName(image), data)
}
