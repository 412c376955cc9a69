package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/cards/place"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// looks are the moments after sending at which an order of unknown outcome is looked
// for; from the last on, complete readings of the list that find nothing begin to count.
var looks = []time.Duration{0, 5 * time.Second, 15 * time.Second, 60 * time.Second, 120 * time.Second}

const (
	// settleAfter is how long after the request's own deadline the service may still be
	// working on it: a reading that began earlier proves nothing.
	settleAfter = 2 * time.Minute
	// scansNeeded is how many readings of the whole list without the order are enough: then the
	// person is told.
	scansNeeded = 2
	// mostUnread is how many readings that could not be completed end the looking.
	mostUnread = 3
	// scanInterval is the pause between two readings that count.
	scanInterval = 5 * time.Second
	// longest is how long an order is looked for in a list that cannot be read, of a service that
	// answers. One that does not answer is waited for.
	longest = time.Hour
)

// lookForOrder looks whether an order that may be out has arrived.
func (p *placeRun) lookForOrder(ctx context.Context) error { return p.look(ctx, p.unseen) }

// unseen looks again until it is sure enough that the order is not there.
func (p *placeRun) unseen(ctx context.Context, seen searchResult) error {
	p.count(seen)
	if p.kept.Search.Readings >= scansNeeded || p.exhausted(seen) {
		return p.notThere(ctx, seen)
	}
	return p.lookLater(ctx, max(seen.rest, p.nextLook()))
}

// sendUnseen is for an attempt that was delivered before, or follows another: nothing
// says that it is out, but a look costs less than a second order. An earlier attempt's
// order that turned up at this very moment is the one to keep.
func (p *placeRun) sendUnseen(ctx context.Context, seen searchResult) error {
	sends, err := p.risks(), error(nil)
	if !sends && seen.complete {
		sends, err = p.absent(ctx, seen)
	}
	switch {
	case err != nil:
		return err
	case sends:
		return p.transmitAbsent(ctx)
	case seen.complete:
		return p.missing(ctx, seen)
	}
	if seen.rest == 0 || !p.neverTaken() { // else to be asked to wait is no doubt
		p.kept.Unread++
	}
	switch {
	case !p.exhausted(seen):
		return p.lookLater(ctx, max(seen.rest, p.place.waits.Scan<<p.kept.Unread))
	case p.neverTaken(), p.nothingOut() && seen.read > 0 && seen.rest == 0:
		// Every earlier attempt was refused: had it been carried out all the same, its order
		// would be among the latest, and those were read. The few pages that a service shows
		// which has enough of them are not those.
		return p.transmitAbsent(ctx)
	}
	return p.missing(ctx, seen)
}

// absent reports whether the service has no order of the draft, after a complete reading that did not
// show one: nothing can be out, or it would have been found.
func (p *placeRun) absent(ctx context.Context, seen searchResult) (bool, error) {
	if p.nothingOut() {
		return true, nil
	}
	return p.place.names.Prove(ctx, p.draft, seen.kept)
}

// nothingOut reports whether each attempt of the draft was refused, or never left.
func (p *placeRun) nothingOut() bool { return p.kept.Phase == job.Accepted && p.draft.SentAt.IsZero() }

// neverTaken reports whether no attempt of the draft had an answer. Being turned away for coming too often is not
// an answer.
func (p *placeRun) neverTaken() bool { return p.nothingOut() && p.body.Attempt == 1 }

// risks reports whether the person was told, before this attempt, that it may cost twice. It is theirs to
// try all the same, once: in another run of Redis than they did, this attempt may be out already.
func (p *placeRun) risks() bool {
	return p.Delivery.SameRun && p.draft.Warned > 0 && p.draft.Warned == p.body.Attempt-1
}

// transmitAbsent sends an order that the service does not have. The draft says so until it leaves:
// whoever waits for its turn meanwhile does not look again.
func (p *placeRun) transmitAbsent(ctx context.Context) error {
	p.draft.Absent = p.redis.ID
	return p.transmit(ctx)
}

// look searches once, and goes on with missed if the order is not seen. While it reads a long list,
// the person sees how far it has come.
func (p *placeRun) look(ctx context.Context, missed func(context.Context, searchResult) error) error {
	began := p.Delivery.Now()
	seen, err := p.place.search.search(ctx, p.draft, searchOptions{progress: func(seen searchResult) {
		p.kept.found(seen)
		p.place.forms.Progress(ctx, p.asker(), p.kept.view(p.draft, p.body.View))
	}})
	if err != nil {
		return p.lookFailed(ctx, err)
	}
	seen.began = began
	if p.kept.Since.IsZero() {
		p.kept.Since = began
	}
	p.kept.Looks++
	p.kept.found(seen)
	if seen.order != nil {
		return p.Done(ctx, *seen.order)
	}
	away, err := p.place.account.SentElsewhere(ctx, p.draft.SentTo)
	switch {
	case err != nil:
		return err
	case away: // what another account does not have proves nothing
		return p.missing(ctx, seen)
	}
	return missed(ctx, seen)
}

// lookLater comes back for another look, and says so: at the first one, and whenever one
// could not read all.
func (p *placeRun) lookLater(ctx context.Context, wait time.Duration) error {
	if p.kept.Doubt {
		p.doubtDue(p.Delivery.Now().Add(wait))
		wait = p.kept.approach(wait)
	}
	return p.wait(ctx, wait, p.kept.view(p.draft, p.body.View), p.kept.Looks == 1 || p.kept.Unread > 0)
}

// lookFailed waits for a service that does not answer as it should. One that refuses to be
// looked at will not change its mind for ever.
func (p *placeRun) lookFailed(ctx context.Context, err error) error {
	if errors.Is(err, order.ErrRefused) {
		if p.kept.Since.IsZero() {
			p.kept.Since = p.Delivery.Now()
		}
		switch exhausted := p.exhausted(searchResult{}); {
		case exhausted && p.neverTaken():
			return p.transmitAbsent(ctx)
		case exhausted:
			return p.missing(ctx, searchResult{})
		}
	}
	return p.later(ctx, err)
}

// notThere ends the looking. What was only suspected of having been sent, and is surely
// not there, is sent now.
func (p *placeRun) notThere(ctx context.Context, seen searchResult) error {
	if !p.kept.Doubt || p.kept.Search.Readings < scansNeeded || p.draft.State != store.DraftPlacing {
		return p.missing(ctx, seen)
	}
	found, err := p.place.search.byCard(ctx, p.draft)
	switch {
	case err != nil:
		return err
	case found != nil:
		return p.Done(ctx, *found)
	}
	proven, err := p.place.names.Prove(ctx, p.draft, seen.kept)
	switch {
	case err != nil:
		return err
	case !proven && !p.risks():
		return p.missing(ctx, seen)
	}
	p.kept = placeState{Told: p.kept.Told}
	return p.transmitAbsent(ctx)
}

// found keeps what a look has seen, to be told.
func (k *placeState) found(seen searchResult) {
	s := &k.Search
	s.NoKeywords = seen.wordless
	if seen.read >= s.Orders {
		s.Orders, s.Back = seen.read, seen.back
	}
}

// count takes a reading of the list into account that began late enough.
func (p *placeRun) count(seen searchResult) {
	switch {
	case seen.began.Before(latest(p.place.settles(p.kept.SentAt), p.kept.Due)):
	case seen.complete:
		p.kept.Search.Readings++
	default:
		p.kept.Unread++
	}
}

// exhausted tells whether there is no point in reading the list once more after one that
// could not be completed.
func (p *placeRun) exhausted(seen searchResult) bool {
	return !seen.complete && (p.kept.Unread >= mostUnread || p.Delivery.Now().Sub(p.kept.Since) > longest)
}

// nextLook is the time until the next look.
func (p *placeRun) nextLook() time.Duration {
	now := p.Delivery.Now()
	for _, after := range p.place.waits.Looks {
		if wait := p.kept.SentAt.Add(after).Sub(now); wait > 0 {
			return wait
		}
	}
	return max(p.place.settles(p.kept.SentAt).Sub(now), p.place.waits.Scan<<p.kept.Unread)
}

// view says how the looking stands, in a modal.
func (k *placeState) view(d store.Draft, window string) slack.ModalViewRequest {
	d.Search = k.Search
	if k.Doubt || d.SentAt.IsZero() {
		return place.Looking(d, window)
	}
	return place.Unsettled(d, window)
}

// missing gives up looking: the draft is kept, the person decides, and the reference
// stays watched. Where it proves nothing that the order was not found, they are told what another
// may cost.
func (p *placeRun) missing(ctx context.Context, seen searchResult) error {
	proven, err := p.place.names.Prove(ctx, p.draft, seen.kept)
	if err != nil {
		return err
	}
	p.draft.Search = p.kept.Search
	if !proven {
		p.draft.Search.Unproven, p.draft.Search.Cost, p.draft.Warned = true, p.place.presets.mayCost(ctx, p.draft), p.draft.Attempt
	}
	if p.kept.Doubt && p.draft.SentAt.IsZero() {
		p.draft.SentAt = p.kept.SentAt // nobody knows better
	}
	if err := p.leaveAccount(ctx); err != nil {
		return err
	}
	if err := p.place.watch.giveUp(ctx, &p.draft); err != nil {
		return err
	}
	return p.follow(ctx)
}

// giveUp leaves the draft to the person; one that moved on meanwhile stays as it is.
func (j *Watch) giveUp(ctx context.Context, draft *store.Draft) error {
	if err := j.watchReference(ctx, *draft); err != nil {
		return err
	}
	draft.State, draft.UpdatedAt = store.DraftUnknown, time.Now()
	err := j.drafts.SaveDraft(ctx, *draft)
	if err == nil && j.givenUp != nil {
		j.givenUp()
	}
	if errors.Is(err, store.ErrDraftMoved) {
		return nil
	}
	return err
}

// A workspace may be connected to another account while an order of unknown outcome is out. Whatever account is asked: an
// order that carries our reference is the one. That it is missing counts only at the account it was sent to.

// leaveAccount ends the looking at an account. Who is told that the order may be there decides alone from then on.
func (p *placeRun) leaveAccount(ctx context.Context) error {
	away, err := p.place.account.SentElsewhere(ctx, p.draft.SentTo)
	missing := p.draft.Search.Readings >= scansNeeded
	if away && !missing {
		p.draft.Search.Elsewhere = p.draft.SentTo.Host
	}
	if away || missing {
		p.draft.SentTo = store.SentTo{}
	}
	return err
}
