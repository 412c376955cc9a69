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

// searchTimes are the times, after sending, of the searches for an order of unknown outcome. From the last one on, complete
// readings of the list count as proof.
var searchTimes = []time.Duration{0, 5 * time.Second, 15 * time.Second, 60 * time.Second, 120 * time.Second}

const (
	// settleAfter is how long after its deadline the service may still carry out a request. A reading that began
	// earlier proves nothing.
	settleAfter = 2 * time.Minute
	// readingsNeeded is how many complete readings without the order prove that it is absent.
	readingsNeeded = 2
	// maxIncomplete is how many incomplete readings end the search.
	maxIncomplete = 3
	// readingInterval is the pause between two counted readings.
	readingInterval = 5 * time.Second
	// maxSearch bounds the search in a list that cannot be read, if the service answers. Without an answer the job
	// waits.
	maxSearch = time.Hour
)

// reconcile searches for an order that may have arrived.
func (p *placeRun) reconcile(ctx context.Context) error { return p.searchOnce(ctx, p.notSeen) }

// notSeen searches again until the order is surely absent.
func (p *placeRun) notSeen(ctx context.Context, seen searchResult) error {
	p.countReading(seen)
	if p.saved.Search.Readings >= readingsNeeded || p.exhausted(seen) {
		return p.concludeAbsent(ctx, seen)
	}
	return p.searchLater(ctx, max(seen.retryAfter, p.nextSearch()))
}

// sendIfAbsent sends an order that was not found. It handles a redelivered attempt, or one that follows another: a
// search costs less than a second order.
func (p *placeRun) sendIfAbsent(ctx context.Context, seen searchResult) error {
	sends, err := p.riskAccepted(), error(nil)
	if !sends && seen.complete {
		sends, err = p.absent(ctx, seen)
	}
	switch {
	case err != nil:
		return err
	case sends:
		return p.transmitAbsent(ctx)
	case seen.complete:
		return p.giveUp(ctx, seen)
	}
	if seen.retryAfter == 0 || !p.neverAnswered() { // a rate limit alone does not make it unknown
		p.saved.Incomplete++
	}
	switch {
	case !p.exhausted(seen):
		return p.searchLater(ctx, max(seen.retryAfter, p.place.waits.Scan<<p.saved.Incomplete))
	case p.neverAnswered(), p.nothingSent() && seen.read > 0 && seen.retryAfter == 0:
		// Every earlier attempt was refused. Had the service carried one out all the same, its order would be among
		// the newest, which were read. A rate limit may cut a reading short, and such a reading does not count.
		return p.transmitAbsent(ctx)
	}
	return p.giveUp(ctx, seen)
}

// absent reports whether a complete reading without the order proves that the service does not have it.
func (p *placeRun) absent(ctx context.Context, seen searchResult) (bool, error) {
	if p.nothingSent() {
		return true, nil
	}
	return p.place.names.Prove(ctx, p.draft, seen.nameLength)
}

// nothingSent reports whether every attempt of the draft was refused or never left.
func (p *placeRun) nothingSent() bool {
	return p.saved.Phase == job.Accepted && p.draft.SentAt.IsZero()
}

// neverAnswered reports whether no attempt of the draft had an answer. A rate limit is not an answer.
func (p *placeRun) neverAnswered() bool { return p.nothingSent() && p.body.Attempt == 1 }

// riskAccepted reports whether the person accepted that this attempt may cost twice. They may do that once: in another run of
// Redis, this attempt may be sent already.
func (p *placeRun) riskAccepted() bool {
	return p.Delivery.SameRun && p.draft.Warned > 0 && p.draft.Warned == p.body.Attempt-1
}

// transmitAbsent sends an order that the service does not have. The draft saves that until it is sent, so that a wait
// meanwhile does not lead to another search.
func (p *placeRun) transmitAbsent(ctx context.Context) error {
	p.draft.Absent = p.redis.ID
	return p.transmit(ctx)
}

// searchOnce searches once, and calls missed if it does not find the order. While it reads a long list, the person sees its
// progress.
func (p *placeRun) searchOnce(ctx context.Context, missed func(context.Context, searchResult) error) error {
	began := p.Delivery.Now()
	seen, err := p.place.search.search(ctx, p.draft, searchOptions{progress: func(seen searchResult) {
		p.saved.noteProgress(seen)
		p.place.forms.Progress(ctx, p.asker(), p.saved.view(p.draft, p.body.View))
	}})
	if err != nil {
		return p.searchFailed(ctx, err)
	}
	seen.began = began
	if p.saved.Since.IsZero() {
		p.saved.Since = began
	}
	p.saved.Searches++
	p.saved.noteProgress(seen)
	if seen.order != nil {
		return p.Done(ctx, *seen.order)
	}
	away, err := p.place.account.SentElsewhere(ctx, p.draft.SentTo)
	switch {
	case err != nil:
		return err
	case away: // another account proves nothing
		return p.giveUp(ctx, seen)
	}
	return missed(ctx, seen)
}

// searchLater waits for another search. It shows the state after the first search, and after an incomplete reading.
func (p *placeRun) searchLater(ctx context.Context, wait time.Duration) error {
	if p.saved.MaybeSent {
		p.scheduleReading(p.Delivery.Now().Add(wait))
		wait = p.saved.approach(wait)
	}
	return p.wait(ctx, wait, p.saved.view(p.draft, p.body.View), p.saved.Searches == 1 || p.saved.Incomplete > 0)
}

// searchFailed waits for a service that does not answer. It gives up after a while if the service refuses to show its
// list.
func (p *placeRun) searchFailed(ctx context.Context, err error) error {
	if errors.Is(err, order.ErrRefused) {
		if p.saved.Since.IsZero() {
			p.saved.Since = p.Delivery.Now()
		}
		switch exhausted := p.exhausted(searchResult{}); {
		case exhausted && p.neverAnswered():
			return p.transmitAbsent(ctx)
		case exhausted:
			return p.giveUp(ctx, searchResult{})
		}
	}
	return p.retryLater(ctx, err)
}

// concludeAbsent ends the search. It sends an order that Redis may have forgotten, if that is surely absent.
func (p *placeRun) concludeAbsent(ctx context.Context, seen searchResult) error {
	if !p.saved.MaybeSent || p.saved.Search.Readings < readingsNeeded || p.draft.State != store.DraftPlacing {
		return p.giveUp(ctx, seen)
	}
	found, err := p.place.search.byCard(ctx, p.draft)
	switch {
	case err != nil:
		return err
	case found != nil:
		return p.Done(ctx, *found)
	}
	proven, err := p.place.names.Prove(ctx, p.draft, seen.nameLength)
	switch {
	case err != nil:
		return err
	case !proven && !p.riskAccepted():
		return p.giveUp(ctx, seen)
	}
	p.saved = placeState{Notified: p.saved.Notified}
	return p.transmitAbsent(ctx)
}

// noteProgress saves the results of a search for the person.
func (k *placeState) noteProgress(seen searchResult) {
	s := &k.Search
	s.NoKeywords = seen.noKeyword
	if seen.read >= s.Orders {
		s.Orders, s.Back = seen.read, seen.oldest
	}
}

// countReading counts a reading of the list that began late enough.
func (p *placeRun) countReading(seen searchResult) {
	switch {
	case seen.began.Before(latest(p.place.settledAt(p.saved.SentAt), p.saved.Due)):
	case seen.complete:
		p.saved.Search.Readings++
	default:
		p.saved.Incomplete++
	}
}

// exhausted reports whether the search ends after an incomplete reading.
func (p *placeRun) exhausted(seen searchResult) bool {
	return !seen.complete && (p.saved.Incomplete >= maxIncomplete || p.Delivery.Now().Sub(p.saved.Since) > maxSearch)
}

// nextSearch returns the time until the next search.
func (p *placeRun) nextSearch() time.Duration {
	now := p.Delivery.Now()
	for _, after := range p.place.waits.Searches {
		if wait := p.saved.SentAt.Add(after).Sub(now); wait > 0 {
			return wait
		}
	}
	return max(p.place.settledAt(p.saved.SentAt).Sub(now), p.place.waits.Scan<<p.saved.Incomplete)
}

// view returns a modal with the state of the search. The outcome of an order that was surely sent is unknown. One that was
// only perhaps sent, or by another attempt, is searched for before it is sent.
func (k *placeState) view(d store.Draft, window string) slack.ModalViewRequest {
	d.Search = k.Search
	if k.MaybeSent || d.SentAt.IsZero() {
		return place.Looking(d, window)
	}
	return place.Unsettled(d, window)
}

// giveUp gives up the search: the draft is kept, the person decides, and the reference is watched. If the search
// proves nothing, the person reads what another order may cost.
func (p *placeRun) giveUp(ctx context.Context, seen searchResult) error {
	proven, err := p.place.names.Prove(ctx, p.draft, seen.nameLength)
	if err != nil {
		return err
	}
	p.draft.Search = p.saved.Search
	if !proven {
		p.draft.Search.Unproven, p.draft.Search.Cost, p.draft.Warned = true, p.place.presets.mayCost(ctx, p.draft), p.draft.Attempt
	}
	if p.saved.MaybeSent && p.draft.SentAt.IsZero() {
		p.draft.SentAt = p.saved.SentAt // the best guess
	}
	if err := p.leaveAccount(ctx); err != nil {
		return err
	}
	if err := p.place.watch.giveUp(ctx, &p.draft); err != nil {
		return err
	}
	return p.follow(ctx)
}

// giveUp leaves the draft to the person, unless the draft changed meanwhile.
func (j *Watch) giveUp(ctx context.Context, draft *store.Draft) error {
	if err := j.beginWatch(ctx, *draft); err != nil {
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

// leaveAccount ends the search at an account. A workspace may have another account by now. An order with the draft's
// reference is the right one at any account, but only the account that it was sent to can prove its absence.
func (p *placeRun) leaveAccount(ctx context.Context) error {
	away, err := p.place.account.SentElsewhere(ctx, p.draft.SentTo)
	missing := p.draft.Search.Readings >= readingsNeeded
	if away && !missing {
		p.draft.Search.Elsewhere = p.draft.SentTo.Host
	}
	if away || missing {
		p.draft.SentTo = store.SentTo{}
	}
	return err
}
