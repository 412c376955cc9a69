package announce

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// filling puts uploaded pictures into a posted review.
type filling struct {
	announcements announcements
	record        *record
	forms         *replyForms
	edits         *edits
	settle        *settleStage
	outcomeAfter  time.Duration
}

// fill puts the uploaded pictures into a review and records that.
func (f *filling) fill(ctx context.Context, a *announcement, e order.Event, p store.Posted, events []order.Event) error {
	p.Verdicts = a.verdicts(e, true)
	if err := f.edit(ctx, a, e, p, events); err != nil {
		return err
	}
	if err := f.announcements.PreviewsShown(ctx, a.id, a.generation, p); err != nil {
		return err
	}
	if err := f.record.read(ctx, a); err != nil {
		return err
	}
	return f.settle.exec(ctx, a) // the review may have ended meanwhile
}

// edit edits the review p. Slack may still execute an unanswered edit. So the review is left alone until
// that is impossible, and then offered without foreign pictures.
func (f *filling) edit(ctx context.Context, a *announcement, e order.Event, p store.Posted, events []order.Event) error {
	m := a.state
	m.Filled = a.job.Now()
	if err := a.save(ctx, m); err != nil {
		return err
	}
	err := f.edits.edit(ctx, a, p.TS, f.forms.of(ctx, a, e, events, true, p)[:1])
	_, limited := client.RetryAfter(err)
	switch {
	case errors.Is(err, client.ErrPayload) && time.Since(a.state.Copied) < processed:
		return errors.Join(queue.Wait(processing), a.save(ctx, a.state))
	case errors.Is(err, client.ErrTryLater) && !limited && !a.state.Asked:
		m.Asked = true
		return errors.Join(queue.Wait(f.outcomeAfter), a.save(ctx, m))
	}
	return err
}

// settleAgain edits a review that ended while an edit with previews may have been in flight. Executed
// late, that edit would ask for an approval that was already given.
func (f *filling) settleAgain(ctx context.Context, a *announcement, e order.Event, p store.Posted, events []order.Event) error {
	if len(a.state.Copies) == 0 && a.state.Filled.IsZero() { // no edit with previews was sent
		return nil
	}
	if wait := f.outcomeAfter - a.job.Now().Sub(a.state.Filled); wait > 0 {
		return queue.Wait(wait)
	}
	if err := f.edits.edit(ctx, a, p.TS, f.forms.of(ctx, a, e, events, false, p)); err != nil {
		return err
	}
	e, _, events, err := f.record.replyTo(ctx, a, e.Seq)
	if err == nil && a.live(e, events) { // the review is live again, and this edit may have come last
		return queue.Wait(processing)
	}
	return err
}

// fillJobs puts the jobs that fill previews and contact sheets into a posted review.
type fillJobs struct {
	settings      *store.ChannelSettings
	later         later
	copies, makes bool // whether previews can be copied and contact sheets made
	inspects      bool // whether deliveries can be inspected
}

// putPreviews puts a job for the missing previews of a posted review, in a lane of its own. missing lists
// their addresses; empty: all previews. why distinguishes the job from earlier ones for the same review.
func (f *fillJobs) putPreviews(ctx context.Context, a *announcement, e order.Event, missing []string, why string) error {
	if e.Kind != order.EventReady || !f.copies {
		return nil
	}
	job := store.AnnounceJob{Previews: e.Seq, Missing: missing, Unasked: a.state.Unasked}
	return f.put(ctx, a, fmt.Sprintf("previews:%d%s", e.Seq, why), job, 0)
}

// put puts a job of that name into the lane of the order's previews.
func (f *fillJobs) put(ctx context.Context, a *announcement, name string, job store.AnnounceJob, after time.Duration) error {
	job.Order, job.Generation = a.id, a.generation
	id := fmt.Sprintf("announce:%s:g%d:%s", a.id, a.generation, name)
	return f.later.put(ctx, queue.Job{ID: id, Lane: "previews:" + a.id, Kind: store.AnnounceKind}, job, after)
}

// putLater puts the jobs that complete a posted review: one compares the delivery with its order, one makes contact
// sheets if the channel wants them. The review does not wait for them.
func (f *fillJobs) putLater(ctx context.Context, a *announcement, e order.Event, events []order.Event) error {
	if e.Kind != order.EventReady {
		return nil
	}
	if f.inspects {
		if err := f.put(ctx, a, fmt.Sprintf("inspect:%d", e.Seq), store.AnnounceJob{Inspect: e.Seq}, afterRecord); err != nil {
			return err
		}
	}
	if !f.makes {
		return nil
	}
	settings, err := f.settings.Of(ctx, a.tracked.Owner.Team, a.tracked.Owner.Channel)
	if err != nil || len(f.onSheets(a, e, events, settings.Sheets)) == 0 {
		return err
	}
	return f.put(ctx, a, fmt.Sprintf("sheets:%d", e.Seq), store.AnnounceJob{Sheets: e.Seq}, afterRecord)
}

// onSheets returns the images for a review's contact sheets, by the channel's setting.
func (f *fillJobs) onSheets(a *announcement, e order.Event, events []order.Event, wanted store.ContactSheets) []cards.SheetImage {
	c := cards.RoundHistoryOf(a.tracked, events, e)
	if wanted == store.SheetsEvery || wanted != store.SheetsOff && c.Before != nil {
		return cards.SheetImages(a.tracked, e, c)
	}
	return nil
}
