package announce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/store"
)

// eventStage posts each event into the order's thread.
type eventStage struct {
	announcements announcements
	settings      *store.ChannelSettings
	record        *record
	reconcile     *reconcileStage
	people        *people
	pictures      *pictureStage
	forms         *replyForms
	sender        *sender
	fill          *fillJobs
	finals        *finals
	news          *news
	observe       func(Announced)
	log           *slog.Logger
}

func (s *eventStage) exec(ctx context.Context, a *announcement) error {
	for _, e := range a.events {
		if err := s.reply(ctx, a, e); err != nil {
			return fmt.Errorf("event %s: %w", e.ID, err)
		}
	}
	return nil
}

// reply posts one event into the order's thread and moves the watermark.
func (s *eventStage) reply(ctx context.Context, a *announcement, e order.Event) error {
	if out, err := s.reconcile.takeOver(ctx, a, e); out || err != nil {
		return err
	}
	if a.outdated(e) {
		return s.announcements.EventPosted(ctx, a.id, a.generation, store.Posted{Event: e.Seq, ID: e.ID})
	}
	e, err := s.addressed(ctx, a, e)
	if err != nil {
		return err
	}
	events, err := s.record.around(ctx, a, e)
	if err != nil {
		return err
	}
	live := a.live(e, a.events)
	if err := s.ready(ctx, a, e, events, live); err != nil {
		return err
	}
	posted := store.Posted{Event: e.Seq, ID: e.ID, Buttons: live, Ended: a.ended(e, events, live), Verdicts: a.verdicts(e, live)}
	if posted.Asks, err = s.asks(ctx, a, e, live); err != nil {
		return err
	}
	if posted.Direct, err = s.news.direct(ctx, a); err != nil {
		return err
	}
	posted.Ownerless = s.people.ownerless(ctx, a, e, live)
	if posted.TS, err = s.post(ctx, a, e, events, posted); err != nil {
		return err
	}
	if err := s.putJobs(ctx, a, e, events, posted); err != nil {
		return err
	}
	a.forgetPictures()
	if err := s.announcements.EventPosted(ctx, a.id, a.generation, posted); err != nil {
		return err
	}
	a.leaveButtons(e, posted)
	if posted.TS != "" {
		announced(s.observe, e)
	}
	return nil
}

// post posts an event's message. If Slack accepts no form of it, it is left out with timestamp "", so that
// later events are not blocked.
func (s *eventStage) post(ctx context.Context, a *announcement, e order.Event, events []order.Event, p store.Posted) (ts string, err error) {
	a.imageless = len(a.state.Missing) > 0
	where, err := s.news.where(ctx, a)
	if err != nil {
		return "", err
	}
	into := client.Post{Thread: a.tracked.ThreadTS(), Broadcast: (where == store.NewsChannel || p.Direct && p.Ownerless) && a.broadcast(e, p.Buttons)}
	began := time.Now()
	ts, err = s.sender.post(ctx, a, e.Seq, into, s.forms.of(ctx, a, e, events, p.Buttons, p))
	if unsaved := s.pictures.saveSlackSlow(ctx, a, time.Since(began), err); unsaved != nil {
		err = errors.Join(err, unsaved)
	}
	if errors.Is(err, client.ErrPayload) {
		s.log.ErrorContext(ctx, "event left out: slack takes it in no form", "order", a.id, "event", e.ID, "err", err)
		return "", nil
	}
	return ts, err
}

// putJobs puts the jobs that follow an event's message.
func (s *eventStage) putJobs(ctx context.Context, a *announcement, e order.Event, events []order.Event, p store.Posted) error {
	if p.TS != "" && p.Buttons {
		if a.imageless {
			if err := s.fill.putPreviews(ctx, a, e, a.state.Missing, ""); err != nil {
				return err
			}
		}
		if err := s.fill.putLater(ctx, a, e, events); err != nil {
			return err
		}
	}
	if err := s.finals.put(ctx, a, e); err != nil {
		return err
	}
	return s.news.put(ctx, a, e, false)
}

// addressed adds to an editor's event whom it is for: the person who last wrote to the editor before. Several
// entries in a row call once.
func (s *eventStage) addressed(ctx context.Context, a *announcement, e order.Event) (order.Event, error) {
	if e.Kind != order.EventEditor {
		return e, nil
	}
	events, err := s.record.all(ctx, a)
	for _, other := range events {
		switch {
		case other.Seq >= e.Seq:
		case other.Kind == order.EventEditor:
			e.Called = true
		case other.Kind == order.EventMessage:
			e.For, e.Called = cmp.Or(other.Actor, e.For), false
		}
	}
	if e.For != "" && s.people.deactivated(ctx, e.For) != "" {
		e.For = "" // it is for the requester
	}
	return e, err
}

// asks returns whom a review or its reminder mentions in place of the requester: the channel's approvers.
// It is stored with the review, so that edits name the same people; nil: nobody.
func (s *eventStage) asks(ctx context.Context, a *announcement, e order.Event, live bool) ([]string, error) {
	review := e.Kind == order.EventReady || e.Kind == order.EventReminder && !a.tracked.Paused()
	if !live || !review {
		return nil, nil
	}
	settings, err := s.settings.Of(ctx, a.tracked.Owner.Team, a.tracked.Owner.Channel)
	return settings.Decides.AskedOf(), err
}

// ready waits for the channel's slot, and then a moment for a review's previews.
func (s *eventStage) ready(ctx context.Context, a *announcement, e order.Event, events []order.Event, live bool) error {
	a.asked = nil
	if !live || e.Kind != order.EventReady {
		return nil
	}
	if err := s.sender.slot(ctx, a); err != nil {
		return err
	}
	return s.pictures.leaveOutSlow(ctx, a, e, events, nil)
}

// Announced is a delivered event, for metrics.
type Announced struct {
	Event order.EventKind
	// Delay is the time from recording the event until its message was known to be delivered. It uses this
	// machine's clock and the recording machine's. It is 0 if Dated is false.
	Delay time.Duration
	// Dated says that the event's time is when it was recorded. A conversation entry instead has the
	// service's time, and arrives with a later response.
	Dated bool
}

// announced observes a delivered event.
func announced(observe func(Announced), e order.Event) {
	if observe == nil || e.Kind == "" {
		return
	}
	a := Announced{Event: e.Kind, Dated: e.Kind != order.EventMessage && e.Kind != order.EventEditor && !e.At.IsZero()}
	if a.Dated {
		a.Delay = max(0, time.Since(e.At))
	}
	observe(a)
}
