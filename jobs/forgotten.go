package jobs

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// A Redis that was restored from a backup knows nothing of an order that was placed since. Its card
// stands in its channel all the same, and its metadata names the order: whoever uses the card, by a
// button or in its thread, has the order tracked again, there. What the channel was told since is not
// told again, which is the announcer's to see to: notifier/compare.go.

// forgottenLife is how old a card may be for that: no backup is older.
const forgottenLife = 30 * 24 * time.Hour

// mayBeForgotten tells whether an order that is not known can be one that Redis forgot. One whose card is
// older than an ended order is kept may have left for good: see RETENTION.
func (j *Jobs) mayBeForgotten(card slack.Message, about cards.About) bool {
	old := age(card.Timestamp)
	return about.Event == cards.CardEvent && cards.HasMenu(card) && old <= forgottenLife && (j.keeps == 0 || old < j.keeps)
}

// byMessage finds the order whose button was pressed by the card of the thread in which the button is.
func (j *Jobs) byMessage(ctx context.Context, r bot.Request, id string) (store.Tracked, error) {
	if r.Kind != bot.KindAction || r.Message == nil || r.Channel == "" {
		return store.Tracked{}, ErrNotFound
	}
	if ours, err := j.IsOurs(ctx, r.Message); err != nil || !ours {
		return store.Tracked{}, cmp.Or(err, ErrNotFound)
	}
	t, is, err := j.ReadBond(ctx, AskerOf(r), r.Channel, cmp.Or(r.Thread, r.MessageTS))
	if err == nil && (is != Present || t.ID != id) {
		err = ErrNotFound
	}
	return t, err
}

// findForgotten tracks the order again whose card it is, if the card still speaks for it and the
// service knows the order. A card that was left has no menu: its order went elsewhere.
func (j *Jobs) findForgotten(ctx context.Context, a Asker, channel string, card slack.Message, about cards.About) (store.Tracked, bond, error) {
	if !j.mayBeForgotten(card, about) {
		return store.Tracked{}, former, nil
	}
	seen, err := j.service.Fetch(ctx, about.Order)
	if errors.Is(err, order.ErrInvalidOrder) {
		return store.Tracked{}, former, nil
	}
	if err != nil {
		return store.Tracked{}, foreign, err
	}
	t, err := j.trackAgain(ctx, store.NewOrder{
		ID: about.Order, Reference: order.ReferenceIn(seen.ProjectName), Order: seen.AtFirst(),
		Owner: store.Owner{Team: a.Team, Channel: channel, Requester: cmp.Or(cards.Requester(card), a.User), Generation: about.Generation},
		Card:  card.Timestamp, Shown: true,
	}, seen)
	if err != nil {
		return store.Tracked{}, foreign, err
	}
	if t.Untracked || t.Owner.Team != a.Team || t.Owner.Channel != channel || t.Owner.Generation != about.Generation { // somebody was first
		return store.Tracked{}, former, nil
	}
	j.tellForgotten(ctx, a, t)
	return t, Present, nil
}

// trackAgain places the order as it was at first, and records what became of it.
func (j *Jobs) trackAgain(ctx context.Context, found store.NewOrder, seen order.Order) (store.Tracked, error) {
	t, err := j.store.AddOrder(ctx, found)
	if err != nil {
		return t, err
	}
	if err := j.store.FoundThread(ctx, t, found.Card); err != nil {
		return t, err
	}
	now, _, err := j.store.Record(ctx, t.ID, t.Version, seen)
	if errors.Is(err, store.ErrStale) { // somebody else has seen it
		return j.store.Order(ctx, t.ID)
	}
	return now, err
}

// tellForgotten says what happened: to who used the card, and once in a run of Redis in the operations
// channel, where nobody may know yet.
func (j *Jobs) tellForgotten(ctx context.Context, a Asker, t store.Tracked) {
	j.log.WarnContext(ctx, "order found again by its card: redis came back as it was before", "order", t.ID, "channel", t.Owner.Channel)
	if err := j.hint(ctx, a, cards.FoundAgain(t)); err != nil {
		j.log.WarnContext(ctx, "person not told", "user", a.User, "err", err)
	}
	run, err := j.store.Run(ctx)
	if err != nil || j.ops == nil || !j.first(ctx, "forgotten:"+run.ID, forgottenLife) {
		return
	}
	if said, err := j.ops(ctx, cards.OpsForgotten()); err != nil || !said {
		j.log.WarnContext(ctx, "operations channel not told", "err", err)
		j.forgetSaid(ctx, "forgotten:"+run.ID)
	}
}

// age is how long ago a message was posted.
func age(ts string) time.Duration {
	seconds, _, _ := strings.Cut(ts, ".")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return forgottenLife + 1
	}
	return time.Since(time.Unix(at, 0))
}
