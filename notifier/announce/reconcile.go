package announce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/conn"
)

// A Redis that began anew may have forgotten: it lost its last second, another server took over, or an
// operator put a backup back. What a channel was told meanwhile stands there still, and its metadata
// says what it is. So the first time in each run of Redis that there is something to tell of an order,
// its channel is read: what stands there is taken over, and not told again.

// reconcileStage compares the channel with the record, once for each order in each run of Redis.
type reconcileStage struct {
	slack         reader
	announcements announcements
	server        *conn.Server
	posts         *ownPosts
	adoption      *adoption
	log           *slog.Logger
}

// cardBack is how far back a card is looked for that is not on record. The card of an older backup is
// posted anew.
const cardBack = 25 * time.Hour

// exec runs only if there is something to post.
func (r *reconcileStage) exec(ctx context.Context, a *announcement) error {
	if len(a.events) == 0 && a.tracked.CardTS != "" { // an edit says nothing twice
		return nil
	}
	run, err := r.server.Run(ctx)
	if err != nil || a.tracked.Compared.Equal(run.Since) {
		return err
	}
	if err := r.findCard(ctx, a); err != nil {
		return err
	}
	told, err := r.findReplies(ctx, a)
	if err != nil {
		return fmt.Errorf("look for what the channel was told: %w", err)
	}
	if err := r.announcements.Compared(ctx, a.id, run, told); err != nil {
		return err
	}
	a.tracked.Compared, a.tracked.Told = run.Since, told
	return nil
}

// findCard takes over the card in the channel, if none is on record.
func (r *reconcileStage) findCard(ctx context.Context, a *announcement) error {
	if a.tracked.CardTS != "" {
		return nil
	}
	since := a.job.Now().Add(-cardBack)
	if a.tracked.Order.OrderedAt.After(since) {
		since = a.tracked.Order.OrderedAt
	}
	found, err := r.posts.find(ctx, a.tracked, cards.About{Order: a.id, Event: cards.CardEvent, Generation: a.generation, Team: a.tracked.Owner.Team}, since, a.tracked.Order.OrderedAt)
	if err != nil || len(found) == 0 {
		return err
	}
	if err := r.adoption.adopt(ctx, a, cardMark, cards.CardEvent, found[0]); err != nil {
		return err
	}
	a.tracked.CardTS, a.tracked.CardVersion = found[0].Timestamp, 0
	return nil
}

// findReplies finds the replies in the order's thread that are not on record. Replies found in an earlier
// run of Redis still count: the thread is read only from the last recorded reply on, and they may stand before it.
func (r *reconcileStage) findReplies(ctx context.Context, a *announcement) (store.Told, error) {
	told := store.Told{Generation: a.generation, Replies: r.stillUnrecorded(a)}
	if a.tracked.CardTS == "" {
		return told, nil
	}
	me, err := r.slack.Identity(ctx)
	if err != nil {
		return told, err
	}
	messages, err := r.slack.Read(ctx, client.Reading{Channel: a.tracked.Owner.Channel, Thread: a.tracked.CardTS, Oldest: r.lastReply(a)})
	if err != nil && !errors.Is(err, client.ErrGone) && !errors.Is(err, client.ErrTooMany) {
		return told, err
	}
	slices.SortFunc(messages, func(a, b slack.Message) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	for _, m := range messages {
		about, ours := cards.AboutOf(m)
		if !ours || !me.Wrote(m) || about.Order != a.id || about.Generation != a.generation || about.Event == cards.CardEvent {
			continue
		}
		if known, twice := told.Replies[about.Event]; (!twice || known.TS == m.Timestamp) && !onRecord(a.tracked, m.Timestamp) {
			told.Replies[about.Event] = store.Posted{ID: about.Event, TS: m.Timestamp, Buttons: hasButtons(m)}
		}
	}
	if len(told.Replies) > 0 {
		r.log.WarnContext(ctx, "the channel shows more of an order than is recorded: redis came back as it was before", "order", a.id, "replies", len(told.Replies))
	}
	return told, nil
}

// stillUnrecorded is what was found in an earlier run of Redis, and is not on record yet.
func (r *reconcileStage) stillUnrecorded(a *announcement) map[string]store.Posted {
	replies := map[string]store.Posted{}
	if a.tracked.Told.Generation != a.generation {
		return replies
	}
	for event, reply := range a.tracked.Told.Replies {
		if !onRecord(a.tracked, reply.TS) {
			replies[event] = reply
		}
	}
	return replies
}

// lastReply is the time of the newest recorded message in the thread.
func (r *reconcileStage) lastReply(a *announcement) time.Time {
	last := a.tracked.CardTS
	for _, p := range a.tracked.Thread {
		last = max(last, p.TS)
	}
	return whenPosted(last)
}

// takeOver takes over the reply that the thread already has for an event; false when it has none.
func (r *reconcileStage) takeOver(ctx context.Context, a *announcement, e order.Event) (bool, error) {
	reply, told := a.tracked.Told.Replies[e.ID]
	if !told || a.tracked.Told.Generation != a.generation || onRecord(a.tracked, reply.TS) {
		return false, nil
	}
	r.log.InfoContext(ctx, "post adopted", "order", a.id, "event", e.ID, "ts", reply.TS)
	return true, r.adoption.reply(ctx, a, e, store.Posted{Event: e.Seq, ID: e.ID, TS: reply.TS, Buttons: reply.Buttons})
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
