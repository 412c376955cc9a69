package announce

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

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
	// copyTime is how long the previews of one message may wait until there is room for them, and how long
	// they may then take to be copied.
	copyTime = 30 * time.Second
	// mostCopying previews are held in memory at once, of all reviews of all workspaces.
	mostCopying = 8
)

// fillLater leaves the previews of a reply that is out without them to a job of its own: the
// channel goes on meanwhile. Only what is ready for review has any. Missing are those that it lacks,
// by address; none: all of them.
// why tells this job from earlier ones of the same review.
func (v *announceRun) fillLater(ctx context.Context, e order.Event, missing []string, why string) error {
	if e.Kind != order.EventReady || v.Pictures == nil {
		return nil
	}
	id := fmt.Sprintf("announce:%s:g%d:previews:%d%s", v.id, v.generation, e.Seq, why)
	job := queue.Job{ID: id, Lane: "previews:" + v.id, Kind: store.AnnounceKind}
	body := store.AnnounceJob{Order: v.id, Generation: v.generation, Previews: e.Seq, Missing: missing, Unasked: v.memory.Unasked}
	return v.put(ctx, job, body, 0)
}

// fillPreviews uploads the previews of an event's images, once, and puts them into its reply
// as soon as Slack can show them. A review that ended meanwhile shows none.
func (v *announceRun) fillPreviews(ctx context.Context, job store.AnnounceJob) error {
	e, p, events, err := v.replyTo(ctx, job.Previews)
	if err != nil || p.TS == "" || len(p.Sheets) > 0 {
		return err
	}
	if !v.live(e, events) {
		return v.settleAgain(ctx, e, p, events)
	}
	wanted := v.wanted(e, cards.CourseOf(v.t, events, e), job.Missing)
	if v.memory.Copies == nil || v.memory.Crowded {
		if err := v.copyPreviews(ctx, wanted); err != nil {
			return err
		}
	}
	if !v.chooseLast(wanted, job.Unasked) && len(v.memory.Copies) == 0 {
		return nil
	}
	p.Copies = maps.Clone(p.Copies)
	if p.Copies == nil {
		p.Copies = cards.Copies{}
	}
	maps.Copy(p.Copies, v.memory.Copies)
	return v.fillAndSettle(ctx, e, p, events)
}

// fillAndSettle puts into a review what was made for it, and keeps that it is there.
func (v *announceRun) fillAndSettle(ctx context.Context, e order.Event, p store.Posted, events []order.Event) error {
	p.Verdicts = v.verdicts(e, true)
	if err := v.fillIn(ctx, e, p, events); err != nil {
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

// chooseLast leaves out the previews that have no copy, but for those that only this process could not get
// in time: Slack, which was not asked for them, may. It says whether there are any.
func (v *announceRun) chooseLast(wanted []order.EditedImage, unasked []string) (some bool) {
	for _, image := range wanted {
		last := !v.memory.Asked && slices.Contains(unasked, image.Thumb) && v.memory.Copies[image.Thumb] == "" && !slices.Contains(v.memory.Missing, image.Thumb)
		if some = some || last; !last {
			v.leaveOut([]string{image.Thumb})
		}
	}
	return some
}

// fillIn edits the review of which p tells. An edit that Slack does not answer may still be carried out:
// nothing else is done to the review until it must have been, and no picture is offered again.
func (v *announceRun) fillIn(ctx context.Context, e order.Event, p store.Posted, events []order.Event) error {
	m := v.memory
	m.Filled = v.d.Now()
	if err := v.saveState(ctx, m); err != nil {
		return err
	}
	err := v.edit(ctx, p.TS, v.replyForms(ctx, e, events, true, p)[:1])
	_, told := bot.RetryAfter(err)
	switch {
	case errors.Is(err, bot.ErrPayload) && time.Since(v.memory.Copied) < processed:
		return errors.Join(queue.Wait(processing), v.saveState(ctx, v.memory))
	case errors.Is(err, bot.ErrTryLater) && !told && !v.memory.Asked:
		m.Asked = true
		return errors.Join(queue.Wait(v.OutcomeAfter), v.saveState(ctx, m))
	}
	return err
}

// settleAgain edits a review that ended while the edit that fills its previews in may have been under
// way: carried out late, that would ask for approval of what is decided.
func (v *announceRun) settleAgain(ctx context.Context, e order.Event, p store.Posted, events []order.Event) error {
	if len(v.memory.Copies) == 0 && v.memory.Filled.IsZero() { // no such edit was sent
		return nil
	}
	if wait := v.OutcomeAfter - v.d.Now().Sub(v.memory.Filled); wait > 0 {
		return queue.Wait(wait)
	}
	if err := v.edit(ctx, p.TS, v.replyForms(ctx, e, events, false, p)); err != nil {
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

// copyPreviews uploads the previews of these images; what cannot be copied is left out. While those of other
// reviews take all the room there is, it is put off.
func (v *announceRun) copyPreviews(stopping context.Context, images []order.EditedImage) error {
	ctx, cancel := context.WithTimeout(stopping, 2*v.CopyTime)
	defer cancel()
	copies, crowded := v.copied(ctx, slices.DeleteFunc(slices.Clone(images), func(i order.EditedImage) bool { return v.memory.Copies[i.Thumb] != "" }))
	if err := stopping.Err(); err != nil {
		return err // another worker makes them
	}
	m := v.memory
	maps.Copy(copies, m.Copies)
	m.Copies, m.Copied, m.Crowded = copies, time.Now(), crowded
	if err := v.saveState(context.WithoutCancel(ctx), m); err != nil || !crowded {
		return err
	}
	return queue.Wait(processing)
}

// copied uploads them side by side, so that one which never comes holds up no other. It tells whether there
// was no room for some.
func (v *announceRun) copied(ctx context.Context, images []order.EditedImage) (copies cards.Copies, crowded bool) {
	copies = cards.Copies{}
	if me, err := v.Slack.Identity(ctx); err == nil && !me.Granted("files:write") { // it is optional, and the start said that it is not granted
		v.Log.InfoContext(ctx, "previews stay links: the app may not upload files", "order", v.id)
		return copies, false
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	soon, cancel := context.WithTimeout(ctx, v.CopyTime)
	defer cancel()
	var mu sync.Mutex
	var copying errgroup.Group
	copying.SetLimit(mostCopying)
	for _, image := range images {
		copying.Go(func() error {
			file, err := v.copyPreview(ctx, soon, image)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				copies[image.Thumb] = file
			case errors.Is(err, bot.ErrMissingScope), errors.Is(err, bot.ErrNotAllowed):
				v.Log.WarnContext(ctx, "previews not copied", "order", v.id, "err", err)
				stop()
			case errors.Is(err, errCrowded) && ctx.Err() == nil:
				crowded = true
			default:
				v.Log.InfoContext(ctx, "preview not copied", "order", v.id, "image", image.ID, "err", err)
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
func (v *announceRun) copyPreview(ctx, soon context.Context, image order.EditedImage) (file string, err error) {
	if err := v.copying.take(soon); err != nil {
		return "", fmt.Errorf("%w: %w", errCrowded, err)
	}
	defer v.copying.leave()
	data, err := v.Pictures.Fetch(ctx, image.Thumb)
	if err != nil {
		return "", err
	}
	return v.Slack.UploadImage(ctx, cards.PreviewName(image), data)
}
