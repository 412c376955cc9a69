package announce

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
)

// live says that a reply's buttons can still be pressed with success: it shows the edit that is
// waiting for an answer now, the message that is, or a pause that lasts. It looks for
// what overtook it in events.
func (v *announceRun) live(e order.Event, events []order.Event) bool {
	newer := func(kinds ...order.EventKind) bool {
		return slices.ContainsFunc(events, func(other order.Event) bool { return other.Seq > e.Seq && slices.Contains(kinds, other.Kind) })
	}
	switch e.Kind {
	case order.EventReady:
		return !newer(order.EventReady) && v.t.InReview(e.Order.Rev()) && !v.t.ChangeWaits(time.Now())
	case order.EventMessage:
		return !newer(order.EventMessage, order.EventEditor) && v.t.Offers(order.VerbMessage, v.t.Order.OrderedAt)
	case order.EventPaused:
		return !newer(order.EventPaused) && !v.t.Untracked && v.t.Paused()
	case order.EventReminder:
		return !newer(cards.AfterReminder()...) && v.t.Order.Status == e.Order.Status && (v.t.InReview(e.Order.Rev()) || v.t.Paused() && !v.t.Untracked)
	}
	return false
}

// addressed is an event of the editor's with whom it is for: who wrote to the editor last before it.
func (v *announceRun) addressed(ctx context.Context, e order.Event) (order.Event, error) {
	if e.Kind != order.EventEditor {
		return e, nil
	}
	events, err := v.everything(ctx)
	for _, other := range events {
		if other.Kind == order.EventMessage && other.Seq < e.Seq && other.Actor != "" {
			e.For = other.Actor
		}
	}
	if e.For != "" && v.departed(ctx, e.For) != "" {
		e.For = "" // it is the requester's
	}
	return e, err
}

// course is what happened around an event that is to be told: around a delivery all that happened to
// the order; else what came after it, which is not told either.
func (v *announceRun) course(ctx context.Context, e order.Event) ([]order.Event, error) {
	if e.Kind != order.EventReady && e.Kind != order.EventReminder {
		return v.events, nil
	}
	return v.everything(ctx)
}

// everything is all that happened to the order, as it was read.
func (v *announceRun) everything(ctx context.Context) (events []order.Event, err error) {
	if v.all == nil {
		v.all, err = v.Store.Events(ctx, v.id)
	}
	return v.all, err
}

// ended is how a review or a pause ended, as it is kept with its reply; "" while it is live, of a pause
// that is over, and of everything else.
func (v *announceRun) ended(e order.Event, events []order.Event, live bool) string {
	review, pause := e.Kind == order.EventReady, e.Kind == order.EventPaused
	if live || !review && !pause || pause && cards.PauseOver(v.t, e, events) {
		return ""
	}
	if c := cards.CourseOf(v.t, events, e); review && c.Ended != nil {
		return c.Ended.ID
	}
	now := store.ForNow + fmt.Sprint(v.t.Order.Status, v.t.Gone, v.t.Untracked)
	if v.t.ChangeWaits(time.Now()) {
		now += " waits"
	}
	return now
}

// settleReviews makes every review and every pause say whether it waits for somebody or how it ended, and takes the
// buttons off other replies, so that nothing in the channel asks for what is done.
func (v *announceRun) settleReviews(ctx context.Context) error {
	unsettled := map[int64]store.Posted{}
	for _, p := range v.t.Thread {
		if p.Unsettled() {
			unsettled[p.Event] = p
		}
	}
	if len(unsettled) == 0 {
		return nil
	}
	events, err := v.everything(ctx)
	if err != nil {
		return err
	}
	for _, e := range events {
		p, ok := unsettled[e.Seq]
		if !ok {
			continue
		}
		if err := v.settle(ctx, e, p, events); err != nil {
			return fmt.Errorf("review %s: %w", e.ID, err)
		}
	}
	return nil
}

// settle edits a review that does not say how it stands.
func (v *announceRun) settle(ctx context.Context, e order.Event, p store.Posted, events []order.Event) error {
	live := v.live(e, events)
	ended := v.ended(e, events, live)
	verdicts := v.verdicts(e, live)
	ownerless := v.stillOwnerless(e, p, events, live)
	if p.TS == v.deleted {
		return v.lost(ctx, p)
	}
	if p.Buttons == live && p.Ended == ended && p.Verdicts == verdicts && p.Ownerless == ownerless {
		return nil
	}
	p.Ownerless = ownerless
	err := v.showAgain(ctx, e, p, events, live)
	if errors.Is(err, bot.ErrGone) {
		return v.lost(ctx, p)
	}
	if after, limited := bot.RetryAfter(err); limited {
		return v.editLater(ctx, after)
	}
	if err != nil && !errors.Is(err, bot.ErrNotEditable) {
		return v.slowEdit(ctx, err, slowReplies)
	}
	v.refresh = v.refresh || live && !p.Buttons && e.Kind == order.EventReady // the card leaves the buttons to it
	return v.Store.ReviewSettled(ctx, v.id, v.generation, store.Posted{TS: p.TS, Buttons: live, Ended: ended, Verdicts: verdicts, Ownerless: ownerless})
}

// lost notes that somebody deleted a reply in Slack. It is not posted again: who may delete one meant it. The card has
// the buttons of a review then.
func (v *announceRun) lost(ctx context.Context, p store.Posted) error {
	v.Log.InfoContext(ctx, "reply deleted in slack", "order", v.id, "event", p.ID, "ts", p.TS)
	v.refresh, v.memory.Refresh = true, true
	if err := v.saveState(ctx, v.memory); err != nil {
		return err
	}
	return v.Store.ReviewSettled(ctx, v.id, v.generation, store.Posted{TS: p.TS})
}

// outdated says that there is no message for an event, or no longer: a snooze is told by the reminder itself, and
// what nobody waits for any more is not said.
func (v *announceRun) outdated(e order.Event) bool {
	switch e.Kind {
	case order.EventSnoozed:
		return true
	case order.EventReminder:
		return !v.live(e, v.events) || v.t.ChangeWaits(time.Now())
	case order.EventLate:
		return !v.t.Expected() || v.t.Order.Rev() != e.Order.Rev()
	}
	return false
}

// verdicts is what a review says of how many of its images are good; "" when it has ended, and of all else.
func (v *announceRun) verdicts(e order.Event, live bool) string {
	if !live || e.Kind != order.EventReady {
		return ""
	}
	return v.t.Tally()
}

// Slow edits of the card and of replies are counted apart.
func slowCard(m *memory) *int    { return &m.SlowCard }
func slowReplies(m *memory) *int { return &m.SlowReplies }

// slowEdit counts the edits that Slack did not answer while it answers others: in the end
// a message stays as it was for a while rather than hold up the channel. Its buttons,
// pressed, say what is possible now.
func (v *announceRun) slowEdit(ctx context.Context, err error, of func(*memory) *int) error {
	_, told := bot.RetryAfter(err)
	if told || !errors.Is(err, bot.ErrTryLater) || v.slackAway(ctx) {
		return err
	}
	m := v.memory
	*of(&m)++
	if *of(&m) > mostSlow {
		v.Log.ErrorContext(ctx, "message left as it was", "order", v.id, "err", err)
		id := fmt.Sprintf("announce:%s:g%d:slow:v%d:a%d", v.id, v.generation, v.t.Version, v.t.Announced)
		return v.again(ctx, id, store.AnnounceJob{Refresh: true}, slowAgain)
	}
	return errors.Join(err, v.saveState(ctx, m))
}

// slackAway says that Slack answers nothing now: that is no fault of an edit.
func (v *announceRun) slackAway(ctx context.Context) bool {
	return errors.Is(v.Slack.Answers(ctx), bot.ErrTryLater)
}

const (
	mostSlow  = 6                // edits that one job tries in vain: half a minute
	slowAgain = 10 * time.Minute // until they are tried once more
)

// showAgain edits a review as [announceRun.reply] posts it: with the previews that are there, the others later.
func (v *announceRun) showAgain(ctx context.Context, e order.Event, p store.Posted, events []order.Event, live bool) error {
	if live && len(p.Sheets) == 0 {
		if err := v.leaveOutSlow(ctx, e, events, p.Copies); err != nil {
			return err
		}
		defer v.forgetPictures()
	}
	err := v.edit(ctx, p.TS, v.replyForms(ctx, e, events, live, p))
	if err != nil || !live || len(v.memory.Missing) == 0 {
		return err
	}
	why := fmt.Sprintf(":v%d", v.t.Version)
	if v.verdicts(e, live) != p.Verdicts { // the version is that of an edit before
		why += ":" + v.d.ID
	}
	return v.fillLater(ctx, e, v.memory.Missing, why)
}
