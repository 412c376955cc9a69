package notifier

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

const (
	// processing is how often Slack is asked whether it has looked at an upload: only then
	// can a message show it. That takes up to half a minute (slack-github-action#413).
	processing = 3 * time.Second
	// processed is when Slack is surely done with an upload.
	processed = 90 * time.Second
	// copyTime bounds the copying of all previews of one message.
	copyTime = 30 * time.Second
)

// fillLater leaves the previews of a reply that is out without them to a job of its own: the
// channel goes on meanwhile. Only what is ready for review has any. Missing are those that it lacks,
// by address; none: all of them.
func (v *announceRun) fillLater(ctx context.Context, e order.Event, missing []string) error {
	if e.Kind != order.EventReady || v.Pictures == nil {
		return nil
	}
	id := fmt.Sprintf("announce:%s:g%d:previews:%d", v.id, v.generation, e.Seq)
	job := queue.Job{ID: id, Lane: "previews:" + v.id, Kind: store.AnnounceKind}
	return v.put(ctx, job, store.AnnounceJob{Order: v.id, Generation: v.generation, Previews: e.Seq, Missing: missing}, 0)
}

// fillPreviews uploads the previews of an event's images, once, and puts them into its reply
// as soon as Slack can show them. A review that ended meanwhile shows none.
func (v *announceRun) fillPreviews(ctx context.Context, event int64, missing []string) error {
	e, p, events, err := v.replyTo(ctx, event)
	if err != nil || p.TS == "" {
		return err
	}
	if !v.live(e, events) {
		return v.settleAgain(ctx, e, p, events)
	}
	wanted := v.wanted(e, cards.CourseOf(v.t, events, e), missing)
	if v.memory.Copies == nil {
		if err := v.copyPreviews(ctx, wanted); err != nil {
			return err
		}
	}
	if len(v.memory.Copies) == 0 {
		return nil
	}
	for _, image := range wanted {
		v.leaveOut([]string{image.Thumb})
	}
	p.Copies = v.memory.Copies
	m := v.memory
	m.Filled = v.d.Now()
	if err := v.saveState(ctx, m); err != nil {
		return err
	}
	best := v.replyForms(ctx, e, events, true, p.Copies)[0]
	err = v.edit(ctx, p.TS, []form{{draw: best.draw}})
	if errors.Is(err, bot.ErrPayload) && time.Since(v.memory.Copied) < processed {
		return queue.Wait(processing)
	}
	if err != nil {
		return err
	}
	if err := v.Store.PreviewsShown(ctx, v.id, v.generation, p); err != nil {
		return err
	}
	if err := v.read(ctx); err != nil {
		return err
	}
	return v.settleReviews(ctx) // the review may have ended meanwhile
}

// settleAgain edits a review that ended while the edit that fills its previews in may have been under
// way: carried out late, that would ask for approval of what is decided.
func (v *announceRun) settleAgain(ctx context.Context, e order.Event, p store.Posted, events []order.Event) error {
	if len(v.memory.Copies) == 0 { // no such edit was sent
		return nil
	}
	if wait := v.OutcomeAfter - v.d.Now().Sub(v.memory.Filled); wait > 0 {
		return queue.Wait(wait)
	}
	if err := v.edit(ctx, p.TS, v.replyForms(ctx, e, events, false, p.Copies)); err != nil {
		return err
	}
	e, _, events, err := v.replyTo(ctx, e.Seq)
	if err == nil && v.live(e, events) { // a pause is over, say: this edit may have come after the one that asks again
		return queue.Wait(processing)
	}
	return err
}

// wanted are the images of a review whose previews it lacks.
func (v *announceRun) wanted(e order.Event, course cards.Course, missing []string) []order.EditedImage {
	return slices.DeleteFunc(cards.ReviewPictures(v.t, e, course), func(i order.EditedImage) bool {
		return len(missing) > 0 && !slices.Contains(missing, i.Thumb)
	})
}

// replyTo finds an event and the reply that tells of it; one without a timestamp is not
// there, and need not be waited for.
func (v *announceRun) replyTo(ctx context.Context, event int64) (e order.Event, p store.Posted, events []order.Event, err error) {
	if err := v.read(ctx); err != nil {
		return e, p, nil, err
	}
	if v.t.Announced < event { // the post is not on record yet
		return e, p, nil, queue.Wait(processing)
	}
	events, err = v.Store.Events(ctx, v.id)
	e, _ = eventOf(events, event)
	return e, postedOf(v.t, event), events, err
}

// filled is what becomes of such a job: a reply that cannot be edited keeps its links.
func (v *announceRun) filled(ctx context.Context, err error) error {
	_, away := outOfReach(err)
	for _, end := range []error{store.ErrMoved, store.ErrNotTracked, bot.ErrGone, bot.ErrNotEditable, bot.ErrPayload} {
		away = away || errors.Is(err, end)
	}
	if away {
		v.Log.InfoContext(ctx, "previews left out", "order", v.id, "err", err)
		return nil
	}
	return v.postponed(ctx, err)
}

// copyPreviews uploads the previews of these images; what cannot be copied is left out.
func (v *announceRun) copyPreviews(stopping context.Context, images []order.EditedImage) error {
	ctx, cancel := context.WithTimeout(stopping, copyTime)
	defer cancel()
	copies := cards.Copies{}
	for _, image := range images {
		file, err := v.copyPreview(ctx, image)
		if errors.Is(err, bot.ErrMissingScope) || errors.Is(err, bot.ErrNotAllowed) {
			v.Log.WarnContext(ctx, "previews not copied", "order", v.id, "err", err)
			break
		}
		if err != nil {
			v.Log.InfoContext(ctx, "preview not copied", "order", v.id, "image", image.ID, "err", err)
			continue
		}
		copies[image.Thumb] = file
	}
	if err := stopping.Err(); err != nil {
		return err // another worker makes them
	}
	m := v.memory
	m.Copies, m.Copied = copies, time.Now()
	return v.saveState(context.WithoutCancel(ctx), m)
}

func (v *announceRun) copyPreview(ctx context.Context, image order.EditedImage) (file string, err error) {
	data, err := v.Pictures.Fetch(ctx, image.Thumb)
	if err != nil {
		return "", err
	}
	return v.Slack.UploadImage(ctx, cards.PreviewName(image), data)
}
