package announce

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/store"
)

// settleStage edits replies whose review or pause has changed since.
type settleStage struct {
	announcements announcements
	record        *record
	pictures      *pictureStage
	forms         *replyForms
	edits         *edits
	fill          *fillJobs
	log           *slog.Logger
}

// exec makes every review and pause show its current state, and removes the buttons of other replies. So
// nothing in the channel asks for what is done.
func (s *settleStage) exec(ctx context.Context, a *announcement) error {
	unsettled := map[int64]store.Posted{}
	for _, p := range a.tracked.Thread {
		if p.Unsettled() {
			unsettled[p.Event] = p
		}
	}
	if len(unsettled) == 0 {
		return nil
	}
	events, err := s.record.all(ctx, a)
	if err != nil {
		return err
	}
	for _, e := range events {
		p, ok := unsettled[e.Seq]
		if !ok {
			continue
		}
		if err := s.settle(ctx, a, e, p, events); err != nil {
			return fmt.Errorf("review %s: %w", e.ID, err)
		}
	}
	return nil
}

// settle edits a reply that does not show its current state.
func (s *settleStage) settle(ctx context.Context, a *announcement, e order.Event, p store.Posted, events []order.Event) error {
	live := a.live(e, events)
	ended := a.ended(e, events, live)
	verdicts := a.verdicts(e, live)
	ownerless := s.stillOwnerless(a, e, p, events, live)
	if p.TS == a.deleted {
		return s.lost(ctx, a, p)
	}
	if p.Buttons == live && p.Ended == ended && p.Verdicts == verdicts && p.Ownerless == ownerless {
		return nil
	}
	p.Ownerless = ownerless
	err := s.show(ctx, a, e, p, events, live)
	if errors.Is(err, client.ErrGone) {
		return s.lost(ctx, a, p)
	}
	if after, limited := client.RetryAfter(err); limited {
		return s.edits.limited(ctx, a, after)
	}
	if err != nil && !errors.Is(err, client.ErrNotEditable) {
		return s.edits.unanswered(ctx, a, err, slowReplies)
	}
	a.refresh = a.refresh || live && !p.Buttons && e.Kind == order.EventReady // the card drops its buttons
	return s.announcements.ReviewSettled(ctx, a.id, a.generation, store.Posted{TS: p.TS, Buttons: live, Ended: ended, Verdicts: verdicts, Ownerless: ownerless})
}

// show edits a review like [eventStage.reply] posts it: with the previews that are there, and the others
// later.
func (s *settleStage) show(ctx context.Context, a *announcement, e order.Event, p store.Posted, events []order.Event, live bool) error {
	if live && len(p.Sheets) == 0 {
		if err := s.pictures.leaveOutSlow(ctx, a, e, events, p.Copies); err != nil {
			return err
		}
		defer a.forgetPictures()
	}
	err := s.edits.edit(ctx, a, p.TS, s.forms.of(ctx, a, e, events, live, p))
	if err != nil || !live || len(a.state.Missing) == 0 {
		return err
	}
	why := fmt.Sprintf(":v%d", a.tracked.Version)
	if a.verdicts(e, live) != p.Verdicts { // a verdict does not change the version
		why += ":" + a.job.ID
	}
	return s.fill.putPreviews(ctx, a, e, a.state.Missing, why)
}

// lost records that a reply was deleted in Slack. It is not posted again, because the deletion was
// intended. The card then gets the review's buttons.
func (s *settleStage) lost(ctx context.Context, a *announcement, p store.Posted) error {
	s.log.InfoContext(ctx, "reply deleted in slack", "order", a.id, "event", p.ID, "ts", p.TS)
	a.refresh, a.state.Refresh = true, true
	if err := a.save(ctx, a.state); err != nil {
		return err
	}
	return s.announcements.ReviewSettled(ctx, a.id, a.generation, store.Posted{TS: p.TS})
}

// stillOwnerless reports whether a reply still offers to take the order over: it asks for something, and
// nobody has taken over. Events after the order was read do not count yet, since the reply would still
// name the old requester.
func (s *settleStage) stillOwnerless(a *announcement, e order.Event, p store.Posted, events []order.Event, live bool) bool {
	if !p.Ownerless || a.tracked.Untracked || !live && e.Kind != order.EventEditor {
		return false
	}
	for _, other := range events {
		if other.Kind == order.EventTaken && other.Seq > e.Seq && other.Seq <= a.tracked.LastEvent {
			return false
		}
	}
	return true
}
