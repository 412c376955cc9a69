package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// looks are the moments after sending at which an order of unknown outcome is looked
// for; from the last on, complete readings of the list that find nothing begin to count.
var looks = []time.Duration{0, 5 * time.Second, 15 * time.Second, 60 * time.Second, 120 * time.Second}

const (
	// SettleAfter is how long after the request's own deadline the service may still be
	// working on it: a reading that began earlier proves nothing.
	settleAfter = 2 * time.Minute
	// enough readings of the whole list without the order: then the person is told.
	scansNeeded = 2
	// mostUnread readings that could not be completed end the looking.
	mostUnread = 3
	// between two readings that count.
	scanInterval = 5 * time.Second
	// longest is when the looking ends although the list cannot be read: an hour of a
	// service that answers. One that does not answer is waited for.
	longest = time.Hour
)

// lookForOrder looks whether an order that may be out has arrived.
func (j *Jobs) lookForOrder(ctx context.Context, p *placement) error {
	seen, err := j.look(ctx, p)
	switch {
	case err != nil:
		return j.lookFailed(ctx, p, err)
	case seen.order != nil:
		return j.adopt(ctx, p, *seen.order)
	}
	p.count(seen, j.service.Timeout())
	if p.state.Search.Readings >= scansNeeded || p.exhausted(seen, p.d.Now()) {
		return j.notThere(ctx, p)
	}
	return j.lookLater(ctx, p, max(seen.rest, p.nextLook(p.d.Now(), j.service.Timeout())))
}

// lookThenSend is for an attempt that was delivered before, or follows another: nothing
// says that it is out, but a look costs less than a second order. An earlier attempt's
// order that turned up at this very moment is the one to keep.
func (j *Jobs) lookThenSend(ctx context.Context, p *placement) error {
	seen, err := j.look(ctx, p)
	switch {
	case err != nil:
		return j.lookFailed(ctx, p, err)
	case seen.order != nil:
		return j.adopt(ctx, p, *seen.order)
	case seen.complete:
		return j.send(ctx, p)
	}
	p.state.Unread++
	switch {
	case !p.exhausted(seen, p.d.Now()):
		return j.lookLater(ctx, p, max(seen.rest, scanInterval<<p.state.Unread))
	case p.draft.SentAt.IsZero() && seen.read > 0 && seen.rest == 0:
		// Every earlier attempt was refused: had it been carried out all the same, its order
		// would be among the latest, and those were read. The few pages that a service shows
		// which has enough of them are not those.
		return j.send(ctx, p)
	}
	return j.missing(ctx, p)
}

// look searches once. While it reads a long list, the person sees how far it has come.
func (j *Jobs) look(ctx context.Context, p *placement) (sighting, error) {
	began := p.d.Now()
	seen, err := j.search(ctx, p.draft, looking{progress: func(seen sighting) {
		p.found(seen)
		j.progress(ctx, p.window(), p.standing())
	}})
	if err != nil {
		return seen, err
	}
	seen.began = began
	if p.state.Since.IsZero() {
		p.state.Since = began
	}
	p.state.Looks++
	p.found(seen)
	return seen, nil
}

// lookLater comes back for another look, and says so: at the first one, and whenever one
// could not read all.
func (j *Jobs) lookLater(ctx context.Context, p *placement, wait time.Duration) error {
	if err := j.tellStanding(ctx, p, p.standing(), p.state.Looks == 1 || p.state.Unread > 0); err != nil {
		return err
	}
	if err := p.d.SetState(ctx, p.state); err != nil {
		return err
	}
	return queue.Wait(wait)
}

// lookFailed waits for a service that does not answer as it should. One that refuses to be
// looked at will not change its mind for ever.
func (j *Jobs) lookFailed(ctx context.Context, p *placement, err error) error {
	if errors.Is(err, order.ErrRefused) {
		if p.state.Since.IsZero() {
			p.state.Since = p.d.Now()
		}
		if p.exhausted(sighting{}, p.d.Now()) {
			return j.missing(ctx, p)
		}
	}
	return j.serviceAway(ctx, p, err)
}

// notThere ends the looking. What was only suspected of having been sent, and is surely
// not there, is sent now.
func (j *Jobs) notThere(ctx context.Context, p *placement) error {
	if p.state.Doubt && p.state.Search.Readings >= scansNeeded && p.draft.State == store.DraftPlacing {
		p.state = placeState{Told: p.state.Told}
		return j.send(ctx, p)
	}
	return j.missing(ctx, p)
}

// found keeps what a look has seen, to be told.
func (p *placement) found(seen sighting) {
	s := &p.state.Search
	s.NoKeywords = seen.wordless
	if seen.read >= s.Orders {
		s.Orders, s.Back = seen.read, seen.back
	}
}

// count takes a reading of the list into account that began late enough.
func (p *placement) count(seen sighting, timeout time.Duration) {
	switch {
	case seen.began.Before(p.state.SentAt.Add(timeout + settleAfter)):
	case seen.complete:
		p.state.Search.Readings++
	default:
		p.state.Unread++
	}
}

// exhausted tells whether there is no point in reading the list once more after one that
// could not be completed.
func (p *placement) exhausted(seen sighting, now time.Time) bool {
	return !seen.complete && (p.state.Unread >= mostUnread || now.Sub(p.state.Since) > longest)
}

// nextLook is the time until the next look.
func (p *placement) nextLook(now time.Time, timeout time.Duration) time.Duration {
	for _, after := range looks {
		if wait := p.state.SentAt.Add(after).Sub(now); wait > 0 {
			return wait
		}
	}
	return max(p.state.SentAt.Add(timeout+settleAfter).Sub(now), scanInterval<<p.state.Unread)
}

// standing says how the looking stands, in a modal.
func (p *placement) standing() slack.ModalViewRequest {
	draft := p.draft
	draft.Search = p.state.Search
	if p.state.Doubt || draft.SentAt.IsZero() {
		return cards.Looking(draft, p.body.View)
	}
	return cards.Unsettled(draft, p.body.View)
}

// missing gives up looking: the draft is kept, the person decides, and the reference
// stays watched.
func (j *Jobs) missing(ctx context.Context, p *placement) error {
	p.draft.Search = p.state.Search
	if p.state.Doubt && p.draft.SentAt.IsZero() {
		p.draft.SentAt = p.state.SentAt // nobody knows better
	}
	if err := j.giveUp(ctx, p.draft); err != nil {
		return err
	}
	return j.Follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At)
}

// giveUp leaves the draft to the person; one that moved on meanwhile stays as it is.
func (j *Jobs) giveUp(ctx context.Context, draft store.Draft) error {
	if err := j.watchReference(ctx, draft); err != nil {
		return err
	}
	draft.State, draft.UpdatedAt = store.DraftUnknown, time.Now()
	if err := j.store.SaveDraft(ctx, draft); err != nil && !errors.Is(err, store.ErrDraftMoved) {
		return err
	}
	return nil
}
