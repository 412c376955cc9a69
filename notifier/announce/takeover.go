package announce

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// takeoverSlack notifies people and says who may take an order over.
type takeoverSlack interface {
	identifier
	DM(ctx context.Context, user string, p bot.Post) (channel, ts string, err error)
	UserNow(ctx context.Context, id string) (slack.User, error)
	IsMemberNow(ctx context.Context, channel, user string) (bool, error)
}

// takeoverStore keeps the offers.
type takeoverStore interface {
	eventReader
	store.Documents
}

// takeover notifies somebody whose order's channel is out of reach, or offers the order to others.
type takeover struct {
	slack  takeoverSlack
	store  takeoverStore
	people *people
	ops    func(ctx context.Context, sentence string) (bool, error)
	log    *slog.Logger
}

// mostHeirs bounds how many of those who did something to an order are asked at once.
const mostHeirs = 3

// tellSomebody tells of an order that its channel is out of reach: the requester, or when they are gone those who
// did something to it before, or else the operations channel. It is false when it is to be tried again.
func (to *takeover) notify(ctx context.Context, a *announcement, why order.Denial) (bool, error) {
	if to.people.deactivated(ctx, a.tracked.Owner.Requester) == "" {
		switch err := to.message(ctx, a, a.tracked.Owner.Requester, cards.Trouble(a.tracked, why)); {
		case err == nil:
			return true, nil
		case !errors.Is(err, bot.ErrNoUser):
			return false, nil // it is logged, and tried again
		}
	}
	t := a.tracked
	t.Owner.Departed = to.people.deactivated(ctx, t.Owner.Requester)
	heirs, err := to.candidates(ctx, a)
	if err != nil {
		return false, err
	}
	return to.offer(ctx, a, heirs, t, why)
}

// tell sends a direct message. Whoever Slack does not know cannot be told later, either.
func (to *takeover) message(ctx context.Context, a *announcement, user string, m cards.Message) error {
	_, _, err := to.slack.DM(ctx, user, bot.Post{Text: m.Text, Blocks: m.Blocks})
	if err != nil && !errors.Is(err, bot.ErrNoUser) {
		to.log.WarnContext(ctx, "requester not told", "order", a.id, "user", user, "err", err)
	}
	return err
}

// offerTo keeps to whom the order is offered, so that they may see it, and tells them, or else operators; whoever
// knows of the offer is not told again, however much news waits.
func (to *takeover) offer(ctx context.Context, a *announcement, heirs []string, t store.Tracked, why order.Denial) (bool, error) {
	offer := store.Offer{Generation: a.generation, People: heirs, Operators: len(heirs) == 0}
	was, _, err := store.Saved[store.Offer](ctx, to.store, store.OfferNote(a.id))
	if err != nil {
		return false, err
	}
	if was.Told && was.Generation == offer.Generation && slices.Equal(was.People, heirs) {
		return true, nil
	}
	if err := to.store.PutTTL(ctx, store.OfferNote(a.id), offer, toldLife); err != nil {
		return false, err
	}
	if offer.Told, err = to.notifyOffer(ctx, a, offer, t, why); err != nil || !offer.Told {
		return false, err
	}
	return true, to.store.PutTTL(ctx, store.OfferNote(a.id), offer, toldLife)
}

// tellOf tells of an offer; false when nobody could be told just now.
func (to *takeover) notifyOffer(ctx context.Context, a *announcement, offer store.Offer, t store.Tracked, why order.Denial) (told bool, err error) {
	if offer.Operators {
		return true, to.notifyOperators(ctx, a, t)
	}
	for _, user := range offer.People {
		told = to.message(ctx, a, user, cards.Adrift(t, why)) == nil || told
	}
	return told, nil
}

// tellOperators tells them that an order is nobody's.
func (to *takeover) notifyOperators(ctx context.Context, a *announcement, t store.Tracked) error {
	heard := false
	if to.ops != nil {
		var err error
		if heard, err = to.ops(ctx, cards.AdriftOps(t)); err != nil {
			return err
		}
	}
	if !heard {
		to.log.WarnContext(ctx, "an order belongs to nobody", "order", a.id, "channel", t.Owner.Channel)
	}
	return nil
}

// heirs are those who did something to the order, the last first, who are full members, and in its channel as far
// as Slack tells who is.
func (to *takeover) candidates(ctx context.Context, a *announcement) ([]string, error) {
	events, err := to.store.Events(ctx, a.id)
	if err != nil {
		return nil, err
	}
	me, err := to.slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	var heirs, seen []string
	for _, e := range slices.Backward(events) {
		if e.Actor == "" || e.Actor == order.FormerPerson || e.Actor == a.tracked.Owner.Requester || slices.Contains(seen, e.Actor) || len(heirs) == mostHeirs {
			continue
		}
		seen = append(seen, e.Actor)
		may, err := to.mayTakeOver(ctx, a, me, e.Actor)
		if err != nil {
			return nil, err
		}
		if may {
			heirs = append(heirs, e.Actor)
		}
	}
	return heirs, nil
}

// mayInherit says whether an order may be offered to somebody. Of a channel that is gone Slack does not tell who
// was in it: that they worked on the order is what tells that they saw it.
func (to *takeover) mayTakeOver(ctx context.Context, a *announcement, me bot.Identity, user string) (bool, error) {
	who, err := to.slack.UserNow(ctx, user)
	if errors.Is(err, bot.ErrTryLater) {
		return false, err
	}
	if err != nil || me.Standing(who) != bot.Member {
		return false, nil //nolint:nilerr // whom Slack does not tell of is offered nothing
	}
	in, err := to.slack.IsMemberNow(ctx, a.tracked.Owner.Channel, user)
	if errors.Is(err, bot.ErrTryLater) {
		return false, err
	}
	return in || errors.Is(err, bot.ErrNoChannel), nil
}
