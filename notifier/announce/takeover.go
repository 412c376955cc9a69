package announce

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// takeoverSlack notifies people and identifies candidates.
type takeoverSlack interface {
	identifier
	DM(ctx context.Context, user string, p client.Post) (channel, ts string, err error)
	userReader
	IsMemberNow(ctx context.Context, channel, user string) (bool, error)
}

// takeover notifies the requester of an order whose channel is out of reach, or offers the order to
// others.
type takeover struct {
	slack  takeoverSlack
	orders eventReader
	docs   store.Documents
	people *people
	ops    func(ctx context.Context, sentence string) (bool, error)
	log    *slog.Logger
}

// mostCandidates bounds the people to whom an order is offered at once.
const mostCandidates = 3

// notify notifies the requester that the order's channel is out of reach. If the requester is deactivated,
// it offers the order to people who worked on it, or else notifies the operations channel. It returns
// false to try again.
func (to *takeover) notify(ctx context.Context, a *announcement, why order.Denial) (bool, error) {
	if to.people.deactivated(ctx, a.tracked.Owner.Requester) == "" {
		switch err := to.message(ctx, a, a.tracked.Owner.Requester, cards.ChannelUnreachable(a.tracked, why)); {
		case err == nil:
			return true, nil
		case !errors.Is(err, client.ErrNoUser):
			return false, nil // logged, and tried again
		}
	}
	t := a.tracked
	t.Owner.Deactivated = to.people.deactivated(ctx, t.Owner.Requester)
	candidates, err := to.candidates(ctx, a)
	if err != nil {
		return false, err
	}
	return to.offer(ctx, a, candidates, t, why)
}

// message sends a direct message. [client.ErrNoUser] is final.
func (to *takeover) message(ctx context.Context, a *announcement, user string, m kit.Message) error {
	_, _, err := to.slack.DM(ctx, user, client.Post{Text: m.Text, Blocks: m.Blocks})
	if err != nil && !errors.Is(err, client.ErrNoUser) {
		to.log.WarnContext(ctx, "requester not told", "order", a.id, "user", user, "err", err)
	}
	return err
}

// offer saves who is offered the order, so that they may see it, and notifies them or else operators. It
// does not repeat the same offer.
func (to *takeover) offer(ctx context.Context, a *announcement, candidates []string, t store.Tracked, why order.Denial) (bool, error) {
	offer := store.Offer{Generation: a.generation, People: candidates, Operators: len(candidates) == 0}
	was, _, err := store.Saved[store.Offer](ctx, to.docs, store.OfferDoc(a.id))
	if err != nil {
		return false, err
	}
	if was.Told && was.Generation == offer.Generation && slices.Equal(was.People, candidates) {
		return true, nil
	}
	if err := to.docs.PutTTL(ctx, store.OfferDoc(a.id), offer, notifiedLife); err != nil {
		return false, err
	}
	if offer.Told, err = to.notifyOffer(ctx, a, offer, t, why); err != nil || !offer.Told {
		return false, err
	}
	return true, to.docs.PutTTL(ctx, store.OfferDoc(a.id), offer, notifiedLife)
}

// notifyOffer notifies people of an offer. It returns false if nobody could be reached.
func (to *takeover) notifyOffer(ctx context.Context, a *announcement, offer store.Offer, t store.Tracked, why order.Denial) (notified bool, err error) {
	if offer.Operators {
		return true, to.notifyOperators(ctx, a, t)
	}
	for _, user := range offer.People {
		notified = to.message(ctx, a, user, cards.Unreachable(t, why)) == nil || notified
	}
	return notified, nil
}

// notifyOperators reports an order without an owner to operators.
func (to *takeover) notifyOperators(ctx context.Context, a *announcement, t store.Tracked) error {
	sent := false
	if to.ops != nil {
		var err error
		if sent, err = to.ops(ctx, cards.UnreachableOps(t)); err != nil {
			return err
		}
	}
	if !sent {
		to.log.WarnContext(ctx, "an order belongs to nobody", "order", a.id, "channel", t.Owner.Channel)
	}
	return nil
}

// candidates returns full members of the order's channel who acted on the order, the latest first.
func (to *takeover) candidates(ctx context.Context, a *announcement) ([]string, error) {
	events, err := to.orders.Events(ctx, a.id)
	if err != nil {
		return nil, err
	}
	me, err := to.slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	var candidates, seen []string
	for _, e := range slices.Backward(events) {
		if e.Actor == "" || e.Actor == order.FormerPerson || e.Actor == a.tracked.Owner.Requester || slices.Contains(seen, e.Actor) || len(candidates) == mostCandidates {
			continue
		}
		seen = append(seen, e.Actor)
		may, err := to.mayTakeOver(ctx, a, me, e.Actor)
		if err != nil {
			return nil, err
		}
		if may {
			candidates = append(candidates, e.Actor)
		}
	}
	return candidates, nil
}

// mayTakeOver reports whether an order may be offered to a person. If the channel is gone, its members are
// unknown, but the person's work on the order shows that they saw it.
func (to *takeover) mayTakeOver(ctx context.Context, a *announcement, me client.Identity, user string) (bool, error) {
	who, err := to.slack.UserNow(ctx, user)
	if errors.Is(err, client.ErrTryLater) {
		return false, err
	}
	if err != nil || me.AccountStatus(who) != client.Member {
		return false, nil //nolint:nilerr // an unknown person gets no offer
	}
	in, err := to.slack.IsMemberNow(ctx, a.tracked.Owner.Channel, user)
	if errors.Is(err, client.ErrTryLater) {
		return false, err
	}
	return in || errors.Is(err, client.ErrNoChannel), nil
}
