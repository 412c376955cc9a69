package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// How an order is sent, and how that ends.

// transmit notes on the draft when the order is sent, and sends it, if its channel can take it.
func (p *placeRun) transmit(ctx context.Context) error {
	why, err := p.access.WhyNotPost(ctx, p.draft.User, p.draft.Channel)
	if err != nil {
		return err
	}
	if why != "" {
		p.draft.Unpostable = string(why)
		return p.giveBack(ctx, nil)
	}
	settings, err := p.store.Settings(ctx, p.draft.Team, p.draft.Channel)
	if err != nil {
		return err
	}
	return p.weighAndSend(ctx, settings.Decides)
}

// weighAndSend sends the order, unless an approver is asked first.
func (p *placeRun) weighAndSend(ctx context.Context, limits store.Decides) error {
	if asked, err := p.asksFirst(ctx, limits); asked || err != nil {
		return err
	}
	to, err := p.sendsTo(ctx)
	if err != nil {
		return err
	}
	p.before = p.draft
	p.draft.SentAt, p.draft.SentTo, p.draft.Absent = p.d.Now(), to, ""
	if err := p.store.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	return sendMarked(ctx, p)
}

func (p *placeRun) send(ctx context.Context) (order.Order, error) {
	p.sent = true
	return p.service.Create(ctx, request(p.draft))
}

// done keeps the service's answer, or the order that was found, before anything is done with it.
func (p *placeRun) done(ctx context.Context, answer order.Order) error {
	p.kept.Phase, p.kept.Order = answered, &answer
	if err := p.save(ctx); err != nil {
		return err
	}
	return p.answer(ctx)
}

// answer makes the channel own the order and tells the person.
func (p *placeRun) answer(ctx context.Context) error {
	if err := p.learn(ctx); err != nil {
		return err
	}
	added := newOrder(p.draft, *p.kept.Order)
	added.Credits = p.creditsIn(ctx, p.draft.Team, p.draft.Channel)
	added.Attempts = p.counted()
	added.Shown = !p.sent // it was found: Redis may have forgotten that its channel has it
	tracked, err := p.store.AddOrder(ctx, added)
	if err == nil && tracked.Untracked && p.draft.State == store.DraftPlacing { // found, after somebody had followed it for a while
		added.Adopted = true
		tracked, err = p.store.AddOrder(ctx, added)
	}
	if err == nil {
		err = p.tellCanceled(ctx, tracked)
	}
	if err != nil {
		return err
	}
	namesOrder(ctx, tracked.ID)
	p.draft.State, p.draft.OrderID, p.draft.UpdatedAt = store.DraftPlaced, tracked.ID, time.Now()
	p.draft.Problems = nil
	if err := p.store.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	p.HomeChanged(ctx, p.draft.Team, p.draft.User)
	return p.follow(ctx)
}

// counted are the attempts whose reservation the order takes the place of. One that was found before this attempt was
// sent is an earlier one's.
func (p *placeRun) counted() []int {
	if p.sent || !p.kept.SentAt.IsZero() {
		return []int{p.draft.Attempt}
	}
	return upTo(p.draft.Attempt)
}

// upTo are the attempts of a draft until that one.
func upTo(attempt int) (all []int) {
	for n := range attempt {
		all = append(all, n+1)
	}
	return all
}

// newOrder is the order of a draft, as its channel is to own it.
func newOrder(d store.Draft, o order.Order) store.NewOrder {
	return store.NewOrder{
		ID:        o.ID,
		Owner:     store.Owner{Team: d.Team, Channel: d.Channel, Requester: d.User},
		Reference: d.Reference, Brief: d.Brief(), Order: o.WhenPlaced(), SpentIn: d.SpentIn,
	}
}

func (p *placeRun) refused(ctx context.Context, why error) error {
	p.draft.SentAt, p.draft.SentTo = time.Time{}, store.SentTo{} // nothing is out, the service says
	return p.giveBack(ctx, words(why))
}

// giveBack gives the form back with the reasons; the next submission is a new attempt.
func (p *placeRun) giveBack(ctx context.Context, problems cards.Problems) error {
	if err := p.store.Unreserve(ctx, p.draft); err != nil {
		return err
	}
	p.draft.State, p.draft.Problems, p.draft.UpdatedAt = store.DraftRefused, problems, time.Now()
	p.draft.Attempt++
	if err := p.store.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	return p.follow(ctx)
}

// unsent takes back what the draft says of an attempt that never left, and waits. One that was
// turned away for coming too often did leave: it is looked for before it is sent again.
func (p *placeRun) unsent(ctx context.Context, why error) error {
	p.draft.SentAt, p.draft.SentTo = p.before.SentAt, p.before.SentTo
	if !errors.Is(why, order.ErrRateLimited) {
		p.draft.Absent = p.before.Absent
	}
	return p.later(ctx, why)
}

// later waits for a service that does not answer as it should; nobody's attempt is used up, and
// the draft is kept meanwhile.
func (p *placeRun) later(ctx context.Context, why error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p.log.WarnContext(ctx, "order waits for the service", "draft", p.draft.ID, "phase", p.kept.Phase, "err", why)
	if err := p.store.SaveDraft(ctx, p.draft); err != nil && !errors.Is(err, store.ErrDraftMoved) {
		return err
	}
	if errors.Is(why, order.ErrUnavailable) {
		if err := p.noteWaiting(ctx); err != nil {
			return err
		}
	}
	p.kept.Waits++
	view := cards.PlacingLater(p.draft, p.body.View) // nothing was sent
	if p.kept.Phase == sending || !p.draft.SentAt.IsZero() {
		view = cards.Unsettled(p.draft, p.body.View) // nobody knows
	}
	return p.wait(ctx, retryAfter(why, p.kept.Waits), view, p.kept.Waits == 1)
}

// noteWaiting notes that an order waits for the service. The first one wakes the poll, which asks from then on whether the service
// is back, and less and less often.
func (p *placeRun) noteWaiting(ctx context.Context) error {
	first, err := p.store.PutIfAbsent(ctx, store.PlacingWaits, time.Now(), placingWaits)
	switch {
	case err != nil:
		return err
	case first:
		return p.store.WakePoll(ctx, false)
	}
	return p.store.PutTTL(ctx, store.PlacingWaits, time.Now(), placingWaits)
}

// placingWaits is how long it is known that an order waits for the service: longer than any wait between two tries.
const placingWaits = 11 * time.Minute

// longWait is when a person who waits is told by direct message as well: the modal may
// be closed by then.
const longWait = 3 * time.Minute

// wait comes back later, and says how it stands: in the modal if shown, and by direct message, once,
// to who waits long.
func (p *placeRun) wait(ctx context.Context, wait time.Duration, view slack.ModalViewRequest, shown bool) error {
	if shown {
		p.progress(ctx, p.asker(), view)
	}
	if !p.kept.Told && p.body.View != "" && p.d.Now().Sub(p.d.PutAt) >= longWait {
		err := p.dmOrLog(ctx, p.draft.User, cards.AsMessage(view))
		switch {
		case bot.Mendable(err): // no reason to stop looking: how it ends is told
			p.tellOperators(ctx, err)
		case err != nil:
			return err
		default:
			p.kept.Told = true
		}
	}
	if err := p.save(ctx); err != nil {
		return err
	}
	return queue.Wait(wait)
}

// follow shows the window how its draft stands now. Of one that nobody's window waits for only unsettled money is
// told here.
func (p *placeRun) follow(ctx context.Context) error {
	if err := p.tellAllower(ctx); err != nil {
		return err
	}
	if p.body.View == "" && p.draft.State != store.DraftUnknown {
		return nil
	}
	return p.Follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At)
}

// asker is whom this job answers.
func (p *placeRun) asker() Asker { return DraftAsker(p.draft, p.body.View, p.body.At) }
