package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// How an order is sent, and how that ends.

// transmit notes on the draft when the order is sent, and sends it, if its channel can take it.
func (p *placeRun) transmit(ctx context.Context) error {
	why, err := p.place.access.WhyNotPost(ctx, p.draft.User, p.draft.Channel)
	if err != nil {
		return err
	}
	if why != "" {
		p.draft.Unpostable = string(why)
		return p.giveBack(ctx, nil)
	}
	settings, err := p.place.store.Settings.Of(ctx, p.draft.Team, p.draft.Channel)
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
	to, err := p.place.account.SendsTo(ctx)
	if err != nil {
		return err
	}
	p.before = p.draft
	p.draft.SentAt, p.draft.SentTo, p.draft.Absent = p.Delivery.Now(), to, ""
	if err := p.place.store.Drafts.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	return job.SendMarked(ctx, p)
}

// asksFirst holds the order back if an approver must be asked, and asks. An approval stands for exactly
// what was shown: what was changed since is asked anew.
func (p *placeRun) asksFirst(ctx context.Context, decides store.Decides) (bool, error) {
	l, err := p.place.limits.of(ctx, p.draft, decides)
	if err != nil {
		return false, err
	}
	h, err := p.place.limits.reserve(ctx, &p.draft, p.body.View, p.Delivery.Now(), l)
	if err != nil {
		return false, err
	}
	if old := p.draft.Held; old != nil && old.Batch == "" {
		if err := p.place.holds.end(ctx, *old, store.HoldDecision{At: p.Delivery.Now(), Anew: true}); err != nil {
			return false, err
		}
	}
	if h.Why == "" {
		return false, nil
	}
	h.Batch = p.togetherWith()
	if h.Batch == "" {
		if err := p.place.holds.Ask(ctx, h); err != nil {
			return false, err
		}
	}
	p.draft.Held = &h
	return true, p.giveBack(ctx, nil)
}

// togetherWith is the batch whose question the order is part of: that of which a batch tells how it ends. It is ""
// of an order that its person submits themselves.
func (p *placeRun) togetherWith() string {
	if p.body.View != "" {
		return ""
	}
	return p.draft.Batch
}

func (p *placeRun) Send(ctx context.Context) (order.Order, error) {
	p.sent = true
	return p.place.service.Create(ctx, request(p.draft))
}

// Done keeps the service's answer, or the order that was found, before anything is done with it.
func (p *placeRun) Done(ctx context.Context, answer order.Order) error {
	p.kept.Phase, p.kept.Order = job.Answered, &answer
	if err := p.Save(ctx); err != nil {
		return err
	}
	return p.Answer(ctx)
}

// Answer makes the channel own the order and tells the person.
func (p *placeRun) Answer(ctx context.Context) error {
	if err := p.place.names.Learn(ctx, p.draft, p.kept.Order.ProjectName, p.Delivery.ID); err != nil {
		return err
	}
	added := newOrder(p.draft, *p.kept.Order)
	added.Credits = p.place.credits.In(ctx, p.draft.Team, p.draft.Channel)
	added.Attempts = p.counted()
	added.Shown = !p.sent // it was found: Redis may have forgotten that its channel has it
	tracked, err := p.place.store.Changes.AddOrder(ctx, added)
	if err == nil && tracked.Untracked && p.draft.State == store.DraftPlacing { // found, after somebody had followed it for a while
		added.Adopted = true
		tracked, err = p.place.store.Changes.AddOrder(ctx, added)
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
	if err := p.place.store.Drafts.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	p.place.home.Changed(ctx, p.draft.Team, p.draft.User)
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

func (p *placeRun) Refused(ctx context.Context, why error) error {
	p.draft.SentAt, p.draft.SentTo = time.Time{}, store.SentTo{} // nothing is out, the service says
	return p.giveBack(ctx, job.Problems(why))
}

// giveBack gives the form back with the reasons; the next submission is a new attempt.
func (p *placeRun) giveBack(ctx context.Context, problems kit.Problems) error {
	if err := p.place.store.Ledgers.Unreserve(ctx, p.draft); err != nil {
		return err
	}
	p.draft.State, p.draft.Problems, p.draft.UpdatedAt = store.DraftRefused, problems, time.Now()
	p.draft.Attempt++
	if err := p.place.store.Drafts.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	return p.follow(ctx)
}

// Unsent takes back what the draft says of an attempt that never left, and waits. One that was
// turned away for coming too often did leave: it is looked for before it is sent again.
func (p *placeRun) Unsent(ctx context.Context, why error) error {
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
	p.place.log.WarnContext(ctx, "order waits for the service", "draft", p.draft.ID, "phase", p.kept.Phase, "err", why)
	if err := p.place.store.Drafts.SaveDraft(ctx, p.draft); err != nil && !errors.Is(err, store.ErrDraftMoved) {
		return err
	}
	if errors.Is(why, order.ErrUnavailable) {
		if err := p.place.noteWaiting(ctx); err != nil {
			return err
		}
	}
	p.kept.Waits++
	view := place.PlacingLater(p.draft, p.body.View) // nothing was sent
	if p.kept.Phase == job.Sending || !p.draft.SentAt.IsZero() {
		view = place.Unsettled(p.draft, p.body.View) // nobody knows
	}
	return p.wait(ctx, job.RetryAfter(why, p.kept.Waits), view, p.kept.Waits == 1)
}

// noteWaiting notes that an order waits for the service. The first one wakes the poll, which asks from then on whether the service
// is back, and less and less often.
func (j *Place) noteWaiting(ctx context.Context) error {
	first, err := j.store.Documents.PutIfAbsent(ctx, store.PlacingWaits, time.Now(), placingWaits)
	switch {
	case err != nil:
		return err
	case first:
		return j.store.Connection.WakePoll(ctx, false)
	}
	return j.store.Documents.PutTTL(ctx, store.PlacingWaits, time.Now(), placingWaits)
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
		p.place.forms.Progress(ctx, p.asker(), view)
	}
	if !p.kept.Told && p.body.View != "" && p.Delivery.Now().Sub(p.Delivery.PutAt) >= longWait {
		err := p.place.messages.SendOrLog(ctx, p.draft.User, kit.AsMessage(view))
		switch {
		case client.NeedsOperator(err): // no reason to stop looking: how it ends is told
			p.place.operators.NotifyRefusal(ctx, err)
		case err != nil:
			return err
		default:
			p.kept.Told = true
		}
	}
	if err := p.Save(ctx); err != nil {
		return err
	}
	return queue.Wait(wait)
}

// follow shows the window how its draft stands now. Of one that nobody's window waits for only unsettled money is
// told here.
func (p *placeRun) follow(ctx context.Context) error {
	if err := p.place.holds.tellAllower(ctx, p.draft, p.togetherWith()); err != nil {
		return err
	}
	if p.body.View == "" && p.draft.State != store.DraftUnknown {
		return nil
	}
	return p.place.drafts.Follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At)
}

// asker is whom this job answers.
func (p *placeRun) asker() answers.Asker { return DraftAsker(p.draft, p.body.View, p.body.At) }

// tellCanceled records the end of an order that was canceled before anything was known of it.
func (p *placeRun) tellCanceled(ctx context.Context, t store.Tracked) error {
	if !p.kept.Order.Canceled() || t.Order.Canceled() {
		return nil
	}
	_, err := p.place.orders.Record(ctx, t.ID, "", func(store.Tracked) (order.Order, error) { return *p.kept.Order, nil })
	return err
}
