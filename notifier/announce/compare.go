package announce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// A Redis that began anew may have forgotten: it lost its last second, another server took over, or an
// operator put a backup back. What a channel was told meanwhile stands there still, and its metadata
// says what it is. So the first time in each run of Redis that there is something to tell of an order,
// its channel is read: what stands there is taken over, and not told again.

// cardBack is how far back a card is looked for that is not on record. The card of an older backup is
// posted anew.
const cardBack = 25 * time.Hour

// compare holds the channel against the record, once for each order in each run of Redis.
func (v *announceRun) compare(ctx context.Context) error {
	if len(v.events) == 0 && v.t.CardTS != "" { // an edit says nothing twice
		return nil
	}
	run, err := v.Store.Run(ctx)
	if err != nil || v.t.Compared.Equal(run.Since) {
		return err
	}
	if err := v.findCard(ctx); err != nil {
		return err
	}
	told, err := v.findTold(ctx)
	if err != nil {
		return fmt.Errorf("look for what the channel was told: %w", err)
	}
	if err := v.Store.Compared(ctx, v.id, run, told); err != nil {
		return err
	}
	v.t.Compared, v.t.Told = run.Since, told
	return nil
}

// findCard takes the card over that stands in the channel, if none is on record.
func (v *announceRun) findCard(ctx context.Context) error {
	if v.t.CardTS != "" {
		return nil
	}
	since := v.d.Now().Add(-cardBack)
	if v.t.Order.OrderedAt.After(since) {
		since = v.t.Order.OrderedAt
	}
	found, err := v.find(ctx, v.t, cards.About{Order: v.id, Event: cards.CardEvent, Generation: v.generation, Team: v.t.Owner.Team}, since, v.t.Order.OrderedAt)
	if err != nil || len(found) == 0 {
		return err
	}
	if err := v.adopt(ctx, cardMark, cards.CardEvent, found[0]); err != nil {
		return err
	}
	v.t.CardTS, v.t.CardVersion = found[0].Timestamp, 0
	return nil
}

// findTold finds the replies in the order's thread that are not on record. What was found in an earlier
// run of Redis still counts: the thread is read only from the last reply on that is on record, and what
// the record lacks may stand before it.
func (v *announceRun) findTold(ctx context.Context) (store.Told, error) {
	told := store.Told{Generation: v.generation, Replies: v.stillUnrecorded()}
	if v.t.CardTS == "" {
		return told, nil
	}
	me, err := v.Slack.Identity(ctx)
	if err != nil {
		return told, err
	}
	messages, err := v.Slack.Read(ctx, bot.Reading{Channel: v.t.Owner.Channel, Thread: v.t.CardTS, Oldest: v.lastTold()})
	if err != nil && !errors.Is(err, bot.ErrGone) && !errors.Is(err, bot.ErrTooMany) {
		return told, err
	}
	slices.SortFunc(messages, func(a, b slack.Message) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	for _, m := range messages {
		about, ours := cards.AboutOf(m)
		if !ours || !me.Wrote(m) || about.Order != v.id || about.Generation != v.generation || about.Event == cards.CardEvent {
			continue
		}
		if known, twice := told.Replies[about.Event]; (!twice || known.TS == m.Timestamp) && !onRecord(v.t, m.Timestamp) {
			told.Replies[about.Event] = store.Posted{ID: about.Event, TS: m.Timestamp, Buttons: hasButtons(m)}
		}
	}
	if len(told.Replies) > 0 {
		v.Log.WarnContext(ctx, "the channel shows more of an order than is recorded: redis came back as it was before", "order", v.id, "replies", len(told.Replies))
	}
	return told, nil
}

// stillUnrecorded is what was found in an earlier run of Redis, and is not on record yet.
func (v *announceRun) stillUnrecorded() map[string]store.Posted {
	replies := map[string]store.Posted{}
	if v.t.Told.Generation != v.generation {
		return replies
	}
	for event, reply := range v.t.Told.Replies {
		if !onRecord(v.t, reply.TS) {
			replies[event] = reply
		}
	}
	return replies
}

// lastTold is when the thread was last told something that is on record.
func (v *announceRun) lastTold() time.Time {
	last := v.t.CardTS
	for _, p := range v.t.Thread {
		last = max(last, p.TS)
	}
	return whenPosted(last)
}

// whenPosted is when Slack took a message, to the second; the zero time when that is not known.
func whenPosted(ts string) time.Time {
	seconds, _, _ := strings.Cut(ts, ".")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(at, 0)
}

func onRecord(t store.Tracked, ts string) bool {
	return slices.ContainsFunc(t.Thread, func(p store.Posted) bool { return p.TS == ts })
}

// toldAlready takes over what the thread says of an event already; false when it says nothing.
func (v *announceRun) toldAlready(ctx context.Context, e order.Event) (bool, error) {
	reply, told := v.t.Told.Replies[e.ID]
	if !told || v.t.Told.Generation != v.generation || onRecord(v.t, reply.TS) {
		return false, nil
	}
	v.Log.InfoContext(ctx, "post adopted", "order", v.id, "event", e.ID, "ts", reply.TS)
	return true, v.adoptReply(ctx, e, store.Posted{Event: e.Seq, ID: e.ID, TS: reply.TS, Buttons: reply.Buttons})
}

// adoptReply records a reply that was out already. What a review or a pause says that has no buttons
// is not known: it is settled next.
func (v *announceRun) adoptReply(ctx context.Context, e order.Event, posted store.Posted) error {
	if (e.Kind == order.EventReady || e.Kind == order.EventPaused) && !posted.Buttons {
		posted.Ended = store.ForNow
	}
	if err := v.tellFollowers(ctx, e, true); err != nil {
		return err
	}
	if err := v.Store.EventPosted(ctx, v.id, v.generation, posted); err != nil {
		return err
	}
	v.leaveButtons(e, posted)
	return nil
}
