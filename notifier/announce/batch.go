package announce

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	cardsbatch "darkroom/cards/batch"
	"darkroom/cards/kit"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/queue"
)

type batchSlack interface {
	cardSlack
	postingSlack
	editingSlack
	deleter
	joiner
}

// batches shows each batch in its channel: one card, with the cards of its orders in its thread, and the messages about
// its deliveries. All its work is done in the channel's lane.
type batches struct {
	slack         batchSlack
	store         *store.BatchCards
	announcements announcements
	settings      *store.ChannelSettings
	server        *conn.Server
	people        *people
	posts         *ownPosts
	news          *batchNews
	later         later
	outcomeAfter  time.Duration
	dedupeAfter   time.Duration
	log           *slog.Logger
}

// batchRun is one job's work on one batch.
type batchRun struct {
	*batches
	d      *queue.Delivery
	card   store.BatchCard
	orders []store.Tracked // newest first; those that wait for somebody have their threads
	fresh  bool            // the channel was compared with the record in this run of Redis
	run    string          // of Redis
	since  time.Time       // when that run began
}

// load reads a batch and its orders.
func (h *batches) load(ctx context.Context, d *queue.Delivery, id string) (*batchRun, error) {
	card, err := h.store.Card(ctx, id)
	if err != nil {
		return nil, err
	}
	run, err := h.server.Run(ctx)
	if err != nil {
		return nil, err
	}
	r := &batchRun{batches: h, d: d, card: card, run: run.ID, since: run.Since, fresh: card.Compared == run.ID}
	if r.orders, err = h.store.Orders(ctx, card); err != nil {
		return nil, err
	}
	var ids []string
	for _, t := range r.orders {
		if t.InReview(t.Order.Rev()) || t.Paused() {
			ids = append(ids, t.ID)
		}
	}
	full := map[string]store.Tracked{}
	for some := range slices.Chunk(ids, fullTogether) {
		orders, err := h.store.Full(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, t := range orders {
			full[t.ID] = t
		}
	}
	for i, t := range r.orders {
		if whole, ok := full[t.ID]; ok {
			r.orders[i] = whole
		}
	}
	return r, nil
}

// fullTogether is how many whole orders are read in one round trip.
const fullTogether = 20

// exec gives an order of a batch its thread before anything is posted there: the batch's card must exist.
func (h *batches) exec(ctx context.Context, a *announcement) error {
	t := a.tracked
	if t.Batch == "" || t.Root != "" && (a.outcomeUnknown() || t.CardTS != "" && len(a.events) == 0) {
		return nil
	}
	card, err := h.store.Card(ctx, t.Batch)
	if errors.Is(err, store.ErrNoBatchCard) || err == nil && (card.Team != t.Owner.Team || card.Channel != t.Owner.Channel) {
		return nil
	}
	if err == nil {
		card.TS, err = h.root(ctx, a.job, card)
	}
	if err != nil {
		if a.unsaved {
			err = errors.Join(err, a.save(ctx, a.state))
		}
		return fmt.Errorf("card of batch %s: %w", t.Batch, err)
	}
	if card.TS == t.Root {
		return nil
	}
	a.tracked.Root = card.TS
	return h.announcements.InThread(ctx, a.id, a.generation, card.TS)
}

// root returns the timestamp of a batch's card, which exists now: a reply to a deleted card would land in the channel.
func (h *batches) root(ctx context.Context, d *queue.Delivery, card store.BatchCard) (ts string, err error) {
	if card.TS != "" && card.Posting.IsZero() && d.Now().Sub(card.ShownAt) < shownLife {
		return card.TS, nil
	}
	r, err := h.load(ctx, d, card.ID)
	if err == nil {
		err = r.show(ctx)
	}
	if err != nil {
		return "", err
	}
	return r.card.TS, nil
}

// handle does a [store.BatchKind] job.
func (h *batches) handle(ctx context.Context, d *queue.Delivery, job store.BatchJob) error {
	r, err := h.load(ctx, d, job.Batch)
	if errors.Is(err, store.ErrNoBatchCard) {
		return nil
	}
	if err != nil {
		return postponed(ctx, h.log, err)
	}
	work := func() error { return r.update(ctx, job) }
	if !job.Doubles.IsZero() {
		work = func() error { return r.deleteDoubles(ctx, job.Doubles) }
	}
	err = work()
	if errors.Is(err, client.ErrNotInChannel) && join(ctx, h.slack, h.log, r.card.Channel) {
		err = work()
	}
	return r.outcome(ctx, job, err)
}

// mostReach bounds how often a batch waits for its channel: two days. Any news of an order begins anew.
const mostReach = 220

// outcome returns the job's result. A wait for Slack becomes another job, so that the channel's lane continues.
func (r *batchRun) outcome(ctx context.Context, job store.BatchJob, err error) error {
	again := func(after time.Duration) error {
		next := queue.Job{ID: fmt.Sprintf("%s:%s:again:%d:%d", store.BatchKind, r.card.ID, job.Reach, r.d.Now().Add(after).Unix()), Lane: r.d.Lane, Kind: store.BatchKind}
		return postponed(ctx, r.log, r.later.put(ctx, next, job, after))
	}
	why, out := outOfReach(err)
	after, limited := client.RetryAfter(err)
	switch {
	case out && job.Reach < mostReach:
		r.log.WarnContext(ctx, "channel out of reach", "batch", r.card.ID, "channel", r.card.Channel, "err", err)
		job.Refresh, job.Reach = true, job.Reach+1
		return again(waitAfter(job.Reach, why))
	case out:
		return nil
	case errors.Is(err, client.ErrUnknownOutcome):
		r.log.InfoContext(ctx, "a batch's message may be out", "batch", r.card.ID, "err", err)
		return queue.Wait(r.outcomeAfter)
	case limited, errors.Is(err, client.ErrTryLater):
		return again(max(after, tryAgain))
	}
	return postponed(ctx, r.log, err)
}

// update makes the channel show the batch as it is.
func (r *batchRun) update(ctx context.Context, job store.BatchJob) error {
	current := r.card.TS != "" && r.card.Posting.IsZero() && r.card.Shown == contentOf(r.draw(ctx))
	if job.Refresh || !current {
		if err := r.show(ctx); err != nil {
			return fmt.Errorf("card of batch %s: %w", r.card.ID, err)
		}
	}
	if err := r.tellDeliveries(ctx); err != nil {
		return fmt.Errorf("deliveries of batch %s: %w", r.card.ID, err)
	}
	if r.fresh {
		return nil
	}
	r.fresh = true
	return r.store.Compared(ctx, r.card.ID, r.run)
}

// channel returns the batch as the channel shows it.
func (r *batchRun) channel(ctx context.Context) cardsbatch.Channel {
	return cardsbatch.Channel{Card: r.card, Orders: r.orders, Links: linksTo(ctx, r.slack, r.log)}
}

func (r *batchRun) draw(ctx context.Context) kit.Message { return cardsbatch.CardOf(r.channel(ctx)) }

// contentOf returns a hash of a message's content.
func contentOf(m kit.Message) string {
	raw, err := json.Marshal(struct {
		Text   string
		Blocks []slack.Block
	}{m.Text, m.Blocks})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// show edits the card, or posts it if there is none.
func (r *batchRun) show(ctx context.Context) error {
	if err := r.recoverCard(ctx); err != nil {
		return err
	}
	m := r.draw(ctx)
	ts, err := r.card.TS, error(nil)
	if ts != "" {
		if err = r.edit(ctx, ts, m); err == nil || errors.Is(err, client.ErrNotEditable) {
			return r.shown(ctx, ts, contentOf(m))
		}
		if errors.Is(err, client.ErrTryLater) {
			return r.unedited(ctx, err)
		}
		if !errors.Is(err, client.ErrGone) {
			return err
		}
	}
	if ts, err = r.postCard(ctx, m); err != nil {
		return err
	}
	return r.shown(ctx, ts, contentOf(m))
}

// unedited goes on with a card that exists and cannot be edited now: another job edits it.
func (r *batchRun) unedited(ctx context.Context, err error) error {
	root, missing := r.slack.Root(ctx, r.card.Channel, r.card.TS)
	if missing != nil || root.SubType == "tombstone" {
		return err
	}
	after, ok := client.RetryAfter(err)
	if !ok {
		after = tryAgain
	}
	job, wait := store.BatchUpdate(r.card.Team, r.card.Channel, r.card.ID, r.d.Now().Add(after))
	if _, err := r.later.queue.PutAfter(ctx, job, after+wait); err != nil {
		return err
	}
	return r.shown(ctx, r.card.TS, "")
}

// shown records the card.
func (r *batchRun) shown(ctx context.Context, ts, content string) error {
	r.card.TS, r.card.Shown, r.card.ShownAt, r.card.Posting = ts, content, r.d.Now(), time.Time{}
	return r.store.CardPosted(ctx, r.card.ID, ts, content, r.card.ShownAt)
}

// recoverCard finds a card that was perhaps posted, or that Redis forgot.
func (r *batchRun) recoverCard(ctx context.Context) error {
	since := r.card.Posting
	switch {
	case !since.IsZero():
		if err := r.settled(ctx, since); err != nil {
			return err
		}
	case r.card.TS == "" && !r.fresh:
		since = r.card.Begun
	default:
		return nil
	}
	former := r.card.TS
	found, err := r.find(ctx, "", since, func(m slack.Message) bool { return cardsbatch.OfCard(m) == r.card.ID && m.Timestamp > former })
	if err != nil || found == "" {
		return err
	}
	r.log.InfoContext(ctx, "card of a batch adopted", "batch", r.card.ID, "ts", found)
	return r.shown(ctx, found, "")
}

// settled waits until a post can no longer be in flight. A job deletes doubles that appear later.
func (r *batchRun) settled(ctx context.Context, posting time.Time) error {
	if wait := r.outcomeAfter - r.d.Now().Sub(posting); wait > 0 {
		return queue.Wait(wait)
	}
	id := fmt.Sprintf("%s:%s:doubles:%d", store.BatchKind, r.card.ID, posting.UnixMilli())
	return r.later.put(ctx, queue.Job{ID: id, Lane: r.d.Lane, Kind: store.BatchKind}, store.BatchJob{Batch: r.card.ID, Doubles: posting}, r.dedupeAfter)
}

// find returns the oldest message of the batch that matches, or "".
func (r *batchRun) find(ctx context.Context, thread string, since time.Time, is func(slack.Message) bool) (ts string, err error) {
	oldest := since.Add(-clockSkew)
	found, err := r.posts.fromEvents(ctx, r.card.Channel, oldest, is)
	if err == nil && len(found) == 0 {
		found, err = r.posts.read(ctx, client.Reading{Channel: r.card.Channel, Thread: thread, Oldest: oldest, Is: is, Near: since}, is)
	}
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0].Timestamp, nil
}

// postCard posts the card after its mark. A sure refusal deletes the mark.
func (r *batchRun) postCard(ctx context.Context, m kit.Message) (ts string, err error) {
	return r.postMarked(ctx, client.Post{}, m, func(at time.Time) error {
		r.card.Posting = at
		return r.store.Posting(ctx, r.card.ID, at)
	})
}

// postMarked posts a message after its mark, in the first form that Slack accepts. A sure refusal deletes the mark.
func (r *batchRun) postMarked(ctx context.Context, p client.Post, m kit.Message, mark func(at time.Time) error) (ts string, err error) {
	if after := r.slack.Slot(ctx, r.card.Channel); after > 0 {
		return "", queue.Wait(after)
	}
	if err := mark(r.d.Now()); err != nil {
		return "", err
	}
	err = r.offer(ctx, p, m, func(p client.Post) error {
		ts, err = r.slack.Post(ctx, p)
		return err
	})
	if surelyNotSent(err) {
		err = errors.Join(err, mark(time.Time{}))
	}
	return ts, err
}

func (r *batchRun) edit(ctx context.Context, ts string, m kit.Message) error {
	return r.offer(ctx, client.Post{}, m, func(p client.Post) error { return r.slack.Edit(ctx, ts, p) })
}

// offer sends the first form of a message that Slack accepts.
func (r *batchRun) offer(ctx context.Context, p client.Post, m kit.Message, send func(client.Post) error) (err error) {
	p.Channel = r.card.Channel
	for _, form := range []kit.Message{m, kit.TextOnly(m)} {
		p.Text, p.Blocks, p.Metadata = form.Text, form.Blocks, form.Metadata
		if err = send(p); !errors.Is(err, client.ErrPayload) {
			return err
		}
		r.log.WarnContext(ctx, "payload refused", "batch", r.card.ID, "err", err)
	}
	return err
}

// deleteDoubles deletes cards and messages about deliveries that arrived after they were posted again.
func (r *batchRun) deleteDoubles(ctx context.Context, since time.Time) error {
	recorded := map[int]string{}
	for _, m := range r.card.Deliveries.Messages {
		recorded[m.Number] = m.TS
	}
	double := func(m slack.Message) bool {
		if cardsbatch.OfCard(m) == r.card.ID {
			return r.card.TS != "" && m.Timestamp > r.card.TS // an older one is a former card, which was deleted
		}
		batch, number := cardsbatch.DeliveriesOf(m)
		return batch == r.card.ID && recorded[number] != "" && m.Timestamp != recorded[number]
	}
	for _, thread := range []string{"", r.card.TS} {
		found, err := r.posts.read(ctx, client.Reading{Channel: r.card.Channel, Thread: thread, Oldest: since.Add(-clockSkew), Late: true}, double)
		if err != nil {
			return err
		}
		for _, m := range found {
			r.log.InfoContext(ctx, "double deleted", "batch", r.card.ID, "ts", m.Timestamp)
			if err := r.slack.Delete(ctx, r.card.Channel, m.Timestamp); err != nil && !errors.Is(err, client.ErrGone) {
				return err
			}
		}
	}
	return nil
}
