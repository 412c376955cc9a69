package announce

import (
	"context"
	"errors"
	"slices"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// mostHeirs bounds how many of those who did something to an order are asked at once.
const mostHeirs = 3

// tellSomebody tells of an order that its channel is out of reach: the requester, or when they are gone those who
// did something to it before, or else the operations channel. It is false when it is to be tried again.
func (v *announceRun) tellSomebody(ctx context.Context, why order.Denial) (bool, error) {
	if v.departed(ctx, v.t.Owner.Requester) == "" {
		switch err := v.tell(ctx, v.t.Owner.Requester, cards.Trouble(v.t, why)); {
		case err == nil:
			return true, nil
		case !errors.Is(err, bot.ErrNoUser):
			return false, nil // it is logged, and tried again
		}
	}
	t := v.t
	t.Owner.Departed = v.departed(ctx, t.Owner.Requester)
	heirs, err := v.heirs(ctx)
	if err != nil {
		return false, err
	}
	return v.offerTo(ctx, heirs, t, why)
}

// tell sends a direct message. Whoever Slack does not know cannot be told later, either.
func (v *announceRun) tell(ctx context.Context, user string, m cards.Message) error {
	_, _, err := v.Slack.DM(ctx, user, bot.Post{Text: m.Text, Blocks: m.Blocks})
	if err != nil && !errors.Is(err, bot.ErrNoUser) {
		v.Log.WarnContext(ctx, "requester not told", "order", v.id, "user", user, "err", err)
	}
	return err
}

// offerTo keeps to whom the order is offered, so that they may see it, and tells them, or else operators; whoever
// knows of the offer is not told again, however much news waits.
func (v *announceRun) offerTo(ctx context.Context, heirs []string, t store.Tracked, why order.Denial) (bool, error) {
	offer := store.Offer{Generation: v.generation, People: heirs, Operators: len(heirs) == 0}
	was, _, err := store.Saved[store.Offer](ctx, v.Store, store.OfferNote(v.id))
	if err != nil {
		return false, err
	}
	if was.Told && was.Generation == offer.Generation && slices.Equal(was.People, heirs) {
		return true, nil
	}
	if err := v.Store.PutTTL(ctx, store.OfferNote(v.id), offer, toldLife); err != nil {
		return false, err
	}
	if offer.Told, err = v.tellOf(ctx, offer, t, why); err != nil || !offer.Told {
		return false, err
	}
	return true, v.Store.PutTTL(ctx, store.OfferNote(v.id), offer, toldLife)
}

// tellOf tells of an offer; false when nobody could be told just now.
func (v *announceRun) tellOf(ctx context.Context, offer store.Offer, t store.Tracked, why order.Denial) (told bool, err error) {
	if offer.Operators {
		return true, v.tellOperators(ctx, t)
	}
	for _, user := range offer.People {
		told = v.tell(ctx, user, cards.Adrift(t, why)) == nil || told
	}
	return told, nil
}

// tellOperators tells them that an order is nobody's.
func (v *announceRun) tellOperators(ctx context.Context, t store.Tracked) error {
	heard := false
	if v.Ops != nil {
		var err error
		if heard, err = v.Ops(ctx, cards.AdriftOps(t)); err != nil {
			return err
		}
	}
	if !heard {
		v.Log.WarnContext(ctx, "an order belongs to nobody", "order", v.id, "channel", t.Owner.Channel)
	}
	return nil
}

// heirs are those who did something to the order, the last first, who are full members, and in its channel as far
// as Slack tells who is.
func (v *announceRun) heirs(ctx context.Context) ([]string, error) {
	events, err := v.Store.Events(ctx, v.id)
	if err != nil {
		return nil, err
	}
	me, err := v.Slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	var heirs, seen []string
	for _, e := range slices.Backward(events) {
		if e.Actor == "" || e.Actor == order.FormerPerson || e.Actor == v.t.Owner.Requester || slices.Contains(seen, e.Actor) || len(heirs) == mostHeirs {
			continue
		}
		seen = append(seen, e.Actor)
		may, err := v.mayInherit(ctx, me, e.Actor)
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
func (v *announceRun) mayInherit(ctx context.Context, me bot.Identity, user string) (bool, error) {
	who, err := v.Slack.UserNow(ctx, user)
	if errors.Is(err, bot.ErrTryLater) {
		return false, err
	}
	if err != nil || me.Standing(who) != bot.Member {
		return false, nil //nolint:nilerr // whom Slack does not tell of is offered nothing
	}
	in, err := v.Slack.IsMemberNow(ctx, v.t.Owner.Channel, user)
	if errors.Is(err, bot.ErrTryLater) {
		return false, err
	}
	return in || errors.Is(err, bot.ErrNoChannel), nil
}
