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

// A restarted Redis may have lost data: its last second, a failover, or an older backup. The channel still
// shows what was posted meanwhile, and the metadata identifies it. So in each run of Redis, the first
// announcement of an order reads its channel. Messages found there are adopted and not posted again.

// reconcileStage compares a channel with the store, once for each order in each run of Redis.
type reconcileStage struct {
	slack         reader
	announcements announcements
	server        *conn.Server
	posts         *ownPosts
	adoption      *adoption
	log           *slog.Logger
}

// cardBack is how far back an unrecorded card is searched. An older one is posted again.
const cardBack = 25 * time.Hour

// exec runs only if there is something to post.
func (r *reconcileStage) exec(ctx context.Context, a *announcement) error {
	if len(a.events) == 0 && a.tracked.CardTS != "" { // an edit repeats nothing
		return nil
	}
	run, err := r.server.Run(ctx)
	if err != nil || a.tracked.Compared.Equal(run.Since) {
		return err
	}
	if err := r.findCard(ctx, a); err != nil {
		return err
	}
	unrecorded, err := r.findReplies(ctx, a)
	if err != nil {
		return fmt.Errorf("look for what the channel was told: %w", err)
	}
	if err := r.announcements.Compared(ctx, a.id, run, unrecorded); err != nil {
		return err
	}
	a.tracked.Compared, a.tracked.Told = run.Since, unrecorded
	return nil
}

// findCard adopts the card in the channel if none is recorded.
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

// findReplies finds unrecorded replies in the order's thread. It keeps those found in an earlier run of
// Redis, since it reads the thread only from the last recorded reply on.
func (r *reconcileStage) findReplies(ctx context.Context, a *announcement) (store.Told, error) {
	unrecorded := store.Told{Generation: a.generation, Replies: r.stillUnrecorded(a)}
	if a.tracked.CardTS == "" {
		return unrecorded, nil
	}
	me, err := r.slack.Identity(ctx)
	if err != nil {
		return unrecorded, err
	}
	messages, err := r.slack.Read(ctx, client.Reading{Channel: a.tracked.Owner.Channel, Thread: a.tracked.ThreadTS(), Oldest: r.lastReply(a)})
	if err != nil && !errors.Is(err, client.ErrGone) && !errors.Is(err, client.ErrTooMany) {
		return unrecorded, err
	}
	slices.SortFunc(messages, func(a, b slack.Message) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	for _, m := range messages {
		about, ours := cards.AboutOf(m)
		if !ours || !me.Wrote(m) || about.Order != a.id || about.Generation != a.generation || about.Event == cards.CardEvent {
			continue
		}
		if known, twice := unrecorded.Replies[about.Event]; (!twice || known.TS == m.Timestamp) && !onRecord(a.tracked, m.Timestamp) {
			unrecorded.Replies[about.Event] = store.Posted{ID: about.Event, TS: m.Timestamp, Buttons: hasButtons(m)}
		}
	}
	if len(unrecorded.Replies) > 0 {
		r.log.WarnContext(ctx, "the channel shows more of an order than is recorded: redis came back as it was before", "order", a.id, "replies", len(unrecorded.Replies))
	}
	return unrecorded, nil
}

// stillUnrecorded returns the replies found in an earlier run of Redis that are not recorded yet.
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

// lastReply returns the time of the newest recorded message in the thread.
func (r *reconcileStage) lastReply(a *announcement) time.Time {
	last := a.tracked.CardTS
	for _, p := range a.tracked.Thread {
		last = max(last, p.TS)
	}
	return whenPosted(last)
}

// takeOver adopts the reply that the thread already has for an event, if there is one.
func (r *reconcileStage) takeOver(ctx context.Context, a *announcement, e order.Event) (bool, error) {
	reply, ok := a.tracked.Told.Replies[e.ID]
	if !ok || a.tracked.Told.Generation != a.generation || onRecord(a.tracked, reply.TS) {
		return false, nil
	}
	r.log.InfoContext(ctx, "post adopted", "order", a.id, "event", e.ID, "ts", reply.TS)
	return true, r.adoption.reply(ctx, a, e, store.Posted{Event: e.Seq, ID: e.ID, TS: reply.TS, Buttons: reply.Buttons})
}

// whenPosted returns a message's time in seconds, or zero for a malformed timestamp.
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
