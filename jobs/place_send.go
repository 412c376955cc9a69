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

// transmit sends the order if the app can post in its channel.
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
	return p.sendOrHold(ctx, settings.Decides)
}

// sendOrHold sends the order, unless an approver must be asked first. It saves on the draft when it is sent.
func (p *placeRun) sendOrHold(ctx context.Context, limits store.Decides) error {
	if asked, err := p.holdForApproval(ctx, limits); asked || err != nil {
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

// holdForApproval reports whether an approver must be asked, and asks. An approval is for exactly what was shown: a changed
// order is asked about again.
func (p *placeRun) holdForApproval(ctx context.Context, decides store.Decides) (bool, error) {
	l, err := p.place.limits.of(ctx, p.draft, decides)
	if err != nil {
		return false, err
	}
	h, err := p.place.limits.reserve(ctx, &p.draft, p.body.View, p.Delivery.Now(), l)
	if err != nil {
		return false, err
	}
	if old := p.draft.Hold; old != nil && old.Batch == "" {
		if err := p.place.holds.end(ctx, *old, store.HoldDecision{At: p.Delivery.Now(), Anew: true}); err != nil {
			return false, err
		}
	}
	if h.Why == "" {
		return false, nil
	}
	h.Batch = p.batchAsking()
	if h.Batch == "" {
		if err := p.place.holds.Ask(ctx, h); err != nil {
			return false, err
		}
	}
	p.draft.Hold = &h
	return true, p.giveBack(ctx, nil)
}

// batchAsking returns the batch whose question includes the order, or "" for an order that its person submitted.
func (p *placeRun) batchAsking() string {
	if p.body.View != "" {
		return ""
	}
	return p.draft.Batch
}

func (p *placeRun) Send(ctx context.Context) (order.Order, error) {
	p.sent = true
	return p.place.service.Create(ctx, request(p.draft))
}

// Done saves the service's answer, or the order that was found, before using it.
func (p *placeRun) Done(ctx context.Context, answer order.Order) error {
	p.saved.Phase, p.saved.Order = job.Answered, &answer
	if err := p.Save(ctx); err != nil {
		return err
	}
	return p.Answer(ctx)
}

// Answer gives the order to its channel and notifies the person.
func (p *placeRun) Answer(ctx context.Context) error {
	if err := p.place.names.Learn(ctx, p.draft, p.saved.Order.ProjectName, p.Delivery.ID); err != nil {
		return err
	}
	added := newOrder(p.draft, *p.saved.Order)
	added.Credits = p.place.credits.In(ctx, p.draft.Team, p.draft.Channel)
	added.Attempts = p.countedAttempts()
	batch, err := p.place.store.BatchCards.Of(ctx, p.draft)
	if err != nil {
		return err
	}
	added.Batch = batch
	added.Shown = !p.sent // Redis may have forgotten that the channel has a card
	tracked, err := p.place.store.Changes.AddOrder(ctx, added)
	if err == nil && tracked.Untracked && p.draft.State == store.DraftPlacing { // an operator had tracked it for a while
		added.Adopted = true
		tracked, err = p.place.store.Changes.AddOrder(ctx, added)
	}
	if err == nil {
		err = p.recordCanceled(ctx, tracked)
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

// countedAttempts returns the attempts whose reserved credits the order replaces. An order that was found before this attempt
// was sent may be of any earlier attempt.
func (p *placeRun) countedAttempts() []int {
	if p.sent || !p.saved.SentAt.IsZero() {
		return []int{p.draft.Attempt}
	}
	return attemptsUpTo(p.draft.Attempt)
}

// attemptsUpTo returns the attempts 1 to attempt.
func attemptsUpTo(attempt int) (all []int) {
	for n := range attempt {
		all = append(all, n+1)
	}
	return all
}

// newOrder returns the order of a draft for its channel.
func newOrder(d store.Draft, o order.Order) store.NewOrder {
	return store.NewOrder{
		ID:        o.ID,
		Owner:     store.Owner{Team: d.Team, Channel: d.Channel, Requester: d.User},
		Reference: d.Reference, Brief: d.Brief(), Order: o.WhenPlaced(), SpentIn: d.SpentIn,
	}
}

func (p *placeRun) Refused(ctx context.Context, why error) error {
	p.draft.SentAt, p.draft.SentTo = time.Time{}, store.SentTo{} // the service has no order
	return p.giveBack(ctx, job.Problems(why))
}

// giveBack returns the form with the reasons. The next submission is a new attempt.
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

// Unsent clears the draft's mark of an attempt that never left, and waits. A rate-limited attempt did leave: it is
// searched before it is sent again.
func (p *placeRun) Unsent(ctx context.Context, why error) error {
	p.draft.SentAt, p.draft.SentTo = p.before.SentAt, p.before.SentTo
	if !errors.Is(why, order.ErrRateLimited) {
		p.draft.Absent = p.before.Absent
	}
	return p.retryLater(ctx, why)
}

// retryLater waits for a service that does not answer. It uses up no attempt, and keeps the draft from expiring.
func (p *placeRun) retryLater(ctx context.Context, why error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p.place.log.WarnContext(ctx, "order waits for the service", "draft", p.draft.ID, "phase", p.saved.Phase, "err", why)
	if err := p.place.store.Drafts.SaveDraft(ctx, p.draft); err != nil && !errors.Is(err, store.ErrDraftMoved) {
		return err
	}
	if errors.Is(why, order.ErrUnavailable) {
		if err := p.place.noteWaiting(ctx); err != nil {
			return err
		}
	}
	p.saved.Waits++
	view := place.PlacingLater(p.draft, p.body.View)
	if p.saved.Phase == job.Sending || !p.draft.SentAt.IsZero() {
		view = place.Unsettled(p.draft, p.body.View)
	}
	return p.wait(ctx, job.RetryAfter(why, p.saved.Waits), view, p.saved.Waits == 1)
}

// noteWaiting saves that an order waits for the service. The first one wakes the poll, which then checks, less and
// less often, whether the service is back.
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

// placingWaits is how long that is saved: longer than any wait between two tries.
const placingWaits = 11 * time.Minute

// longWait is the wait after which a person also gets a direct message, since the modal may be closed by then.
const longWait = 3 * time.Minute

// wait returns the job to the queue. It shows view in the modal if shown is set, and sends it once as a direct message
// after [longWait].
func (p *placeRun) wait(ctx context.Context, wait time.Duration, view slack.ModalViewRequest, shown bool) error {
	if shown {
		p.place.forms.Progress(ctx, p.asker(), view)
	}
	if !p.saved.Notified && p.body.View != "" && p.Delivery.Now().Sub(p.Delivery.PutAt) >= longWait {
		err := p.place.messages.SendOrLog(ctx, p.draft.User, kit.AsMessage(view))
		switch {
		case client.NeedsOperator(err): // the search goes on, and its outcome is sent
			p.place.operators.NotifyRefusal(ctx, err)
		case err != nil:
			return err
		default:
			p.saved.Notified = true
		}
	}
	if err := p.Save(ctx); err != nil {
		return err
	}
	return queue.Wait(wait)
}

// follow shows the draft's state in its window. Without a window, only an unknown outcome is sent.
func (p *placeRun) follow(ctx context.Context) error {
	if err := p.place.holds.notifyAllower(ctx, p.draft, p.batchAsking()); err != nil {
		return err
	}
	if p.body.View == "" && p.draft.State != store.DraftUnknown {
		return nil
	}
	return p.place.drafts.Follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At)
}

// asker returns the person whom this job answers.
func (p *placeRun) asker() answers.Asker { return DraftAsker(p.draft, p.body.View, p.body.At) }

// recordCanceled records the cancellation of an order that was found canceled.
func (p *placeRun) recordCanceled(ctx context.Context, t store.Tracked) error {
	if !p.saved.Order.Canceled() || t.Order.Canceled() {
		return nil
	}
	_, err := p.place.liveOrders.Record(ctx, t.ID, "", func(store.Tracked) (order.Order, error) { return *p.saved.Order, nil })
	return err
}
