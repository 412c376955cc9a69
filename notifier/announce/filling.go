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

// filling puts uploaded pictures into a review that is out.
type filling struct {
	announcements announcements
	record        *record
	forms         *replyForms
	edits         *edits
	settle        *settleStage
	outcomeAfter  time.Duration
}

// fill puts the uploaded pictures into a review, and records that they are there.
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

// edit edits the review of which p tells. An edit that Slack does not answer may still be carried out:
// nothing else is done to the review until it must have been, and no picture is offered again.
func (f *filling) edit(ctx context.Context, a *announcement, e order.Event, p store.Posted, events []order.Event) error {
	m := a.state
	m.Filled = a.job.Now()
	if err := a.save(ctx, m); err != nil {
		return err
	}
	err := f.edits.edit(ctx, a, p.TS, f.forms.of(ctx, a, e, events, true, p)[:1])
	_, told := client.RetryAfter(err)
	switch {
	case errors.Is(err, client.ErrPayload) && time.Since(a.state.Copied) < processed:
		return errors.Join(queue.Wait(processing), a.save(ctx, a.state))
	case errors.Is(err, client.ErrTryLater) && !told && !a.state.Asked:
		m.Asked = true
		return errors.Join(queue.Wait(f.outcomeAfter), a.save(ctx, m))
	}
	return err
}

// settleAgain edits a review that ended while the edit that fills its previews in may have been under
// way: carried out late, that would ask for approval of what is decided.
func (f *filling) settleAgain(ctx context.Context, a *announcement, e order.Event, p store.Posted, events []order.Event) error {
	if len(a.state.Copies) == 0 && a.state.Filled.IsZero() { // no such edit was sent
		return nil
	}
	if wait := f.outcomeAfter - a.job.Now().Sub(a.state.Filled); wait > 0 {
		return queue.Wait(wait)
	}
	if err := f.edits.edit(ctx, a, p.TS, f.forms.of(ctx, a, e, events, false, p)); err != nil {
		return err
	}
	e, _, events, err := f.record.replyTo(ctx, a, e.Seq)
	if err == nil && a.live(e, events) { // a pause is over, say: this edit may have come after the one that asks again
		return queue.Wait(processing)
	}
	return err
}

// fillJobs puts the jobs that fill previews and contact sheets into a review that is out.
type fillJobs struct {
	settings      *store.ChannelSettings
	later         later
	copies, makes bool // whether previews are copied, and contact sheets made, at all
}

// putPreviews leaves the missing previews of a review that is out to a job of its own: the channel goes on meanwhile.
// missing are their addresses; none: all previews. why tells this job from earlier ones of the same review.
func (f *fillJobs) putPreviews(ctx context.Context, a *announcement, e order.Event, missing []string, why string) error {
	if e.Kind != order.EventReady || !f.copies {
		return nil
	}
	id := fmt.Sprintf("announce:%s:g%d:previews:%d%s", a.id, a.generation, e.Seq, why)
	job := queue.Job{ID: id, Lane: "previews:" + a.id, Kind: store.AnnounceKind}
	body := store.AnnounceJob{Order: a.id, Generation: a.generation, Previews: e.Seq, Missing: missing, Unasked: a.state.Unasked}
	return f.later.put(ctx, job, body, 0)
}

// putSheets leaves the contact sheets of a review that is out to a job of its own, when its channel wants them: the
// channel goes on meanwhile, and what the review shows now stays until they are there.
func (f *fillJobs) putSheets(ctx context.Context, a *announcement, e order.Event, events []order.Event) error {
	if e.Kind != order.EventReady || !f.makes {
		return nil
	}
	settings, err := f.settings.Of(ctx, a.tracked.Owner.Team, a.tracked.Owner.Channel)
	if err != nil || len(f.onSheets(a, e, events, settings.Sheets)) == 0 {
		return err
	}
	id := fmt.Sprintf("announce:%s:g%d:sheets:%d", a.id, a.generation, e.Seq)
	job := queue.Job{ID: id, Lane: "previews:" + a.id, Kind: store.AnnounceKind}
	return f.later.put(ctx, job, store.AnnounceJob{Order: a.id, Generation: a.generation, Sheets: e.Seq}, afterRecord)
}

// onSheets are the images that a channel wants to see on contact sheets of a review.
func (f *fillJobs) onSheets(a *announcement, e order.Event, events []order.Event, wanted store.ContactSheets) []cards.SheetImage {
	c := cards.RoundHistoryOf(a.tracked, events, e)
	if wanted == store.SheetsEvery || wanted == store.SheetsLater && c.Before != nil {
		return cards.SheetImages(a.tracked, e, c)
	}
	return nil
}
