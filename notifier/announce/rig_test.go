package announce_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/ratelimit"
)

// rig is an announcer with a real store and a fake Slack workspace. It treats the outcome of a post as
// known at once, so tests need not wait.
type rig struct {
	ordered time.Time // when orders were placed; zero: too long ago to cancel them
	*store.Store
	w      *workspace.Workspace
	slack  whole
	queue  *queue.Queue
	rdb    redis.UniversalClient
	config announce.Config
	job    *queue.Delivery // the announcement job, with its state
	put    *recorder
	seldom bool // Slack limits reading, and time is a bubble's
}

// whole has all parts of the client that the stages use.
type whole struct {
	*client.Messages
	*client.People
	*client.Conversations
	*client.Files
}

func wholeOf(c *client.Client) whole { return whole{c.Messages, c.People, c.Conversations, c.Files} }

// recorder is the queue and records delayed jobs. Workers use it concurrently; tests read it when they
// have ended.
type recorder struct {
	*queue.Queue
	mu     sync.Mutex
	jobs   []queue.Job
	delays []time.Duration
}

func (q *recorder) PutAfter(ctx context.Context, job queue.Job, delay time.Duration) (bool, error) {
	added, err := q.Queue.PutAfter(ctx, job, delay)
	if added {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.jobs, q.delays = append(q.jobs, job), append(q.delays, delay)
	}
	return added, err
}

// unreachable delivers the announcement job n times while the channel is out of reach. Each time it puts
// another delayed job. It returns the delays.
func (r *rig) unreachable(t *testing.T, n int) []time.Duration {
	t.Helper()
	var delays []time.Duration
	for range n {
		before := len(r.put.jobs)
		require.NoError(t, r.try(t))
		r.job.State = nil
		require.Len(t, r.put.jobs, before+1, "one job for later")
		r.job.Job = r.put.jobs[before]
		delays = append(delays, r.put.delays[before])
	}
	return delays
}

const orderID = "ord1"

func newRig(t *testing.T, o workspace.Options) *rig {
	t.Helper()
	if rdb, limited := limitedTests.Load(t); limited {
		o.Unlisted = true
		return newRigOver(t, rdb.(redis.UniversalClient), o)
	}
	rdb := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr(), ContextTimeoutEnabled: true})
	t.Cleanup(func() { _ = rdb.Close() })
	return newRigOver(t, rdb, o)
}

func newRigOver(t *testing.T, rdb redis.UniversalClient, o workspace.Options) *rig {
	t.Helper()
	if o.PostBurst == 0 {
		o.PostBurst = -1
	}
	w := workspace.New(o)
	if !o.Unlisted {
		require.NoError(t, w.Start())
	}
	t.Cleanup(w.Close)
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	r := &rig{Store: store.New(rdb, q), w: w, queue: q, rdb: rdb, seldom: o.Unlisted}
	r.put = &recorder{Queue: q}
	r.config = announce.Config{
		Store: announce.StoreOf(r.Store), Queue: r.put,
		OutcomeAfter: time.Nanosecond, DedupeAfter: time.Millisecond, Log: slog.New(slog.DiscardHandler),
	}
	r.freshClient(t)
	return r
}

// readTurns returns the shared limits on reading.
func (r *rig) readTurns() *ratelimit.Reads {
	return ratelimit.NewReads(r.rdb, r.queue.Keyspace(), r.Documents)
}

// freshClient is another replica's client, which knows no rate limits of Slack yet.
func (r *rig) freshClient(t *testing.T) {
	t.Helper()
	c := client.Config{Token: "xoxb-sandbox-token", APIURL: r.w.APIURL(), Rate: 10000, Reads: r.readTurns()}
	if r.seldom {
		c.APIURL, c.Wrap = "http://sandbox"+c.APIURL, func(http.RoundTripper) http.RoundTripper { return direct{r.w} }
	}
	one := client.New(c)
	t.Cleanup(one.Close)
	r.slack = wholeOf(one)
	r.config.Slack = r.slack
}

// place adds the order to the channel.
func (r *rig) place(t *testing.T, channel string) {
	t.Helper()
	r.placeOrder(t, orderID, channel)
	r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 1}, channel)
}

func (r *rig) placeOrder(t *testing.T, id, channel string) {
	t.Helper()
	zero := 0
	_, err := r.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: id, Reference: "K7Q2XM", Images: 1,
		Owner:   store.Owner{Team: "T0SANDBOX", Channel: channel, Requester: "U0MARIA", Generation: 1},
		Order:   order.Order{ID: id, ProjectName: "Smith wedding [K7Q2XM]", Status: order.StatusEditing, Revision: &zero, OrderedAt: cmp.Or(r.ordered, time.Now().Add(-order.CancelWindow))},
		Credits: decimal.NewNullDecimal(decimal.NewFromInt(88)),
	})
	require.NoError(t, err)
}

// announceOrder delivers another order's announcement once.
func (r *rig) announceOrder(t *testing.T, id string) error {
	t.Helper()
	tracked, err := r.Orders.Order(t.Context(), id)
	require.NoError(t, err)
	job := delivery(store.AnnounceKind, store.AnnounceJob{Order: id, Generation: tracked.Owner.Generation}, tracked.Owner.Channel)
	return handler(announce.New(r.config), store.AnnounceKind)(t.Context(), job)
}

func delivery(kind string, body any, channel string) *queue.Delivery {
	raw, _ := json.Marshal(body)
	return &queue.Delivery{Job: queue.Job{ID: kind, Lane: "channel:T0SANDBOX:" + channel, Kind: kind, Body: raw}}
}

// finishes delivers a job until it is done, each time on another replica.
func (r *rig) finishes(t *testing.T, d *queue.Delivery) {
	t.Helper()
	if r.seldom {
		r.finishesInTime(t, d)
		return
	}
	require.Eventually(t, func() bool {
		err := handler(announce.New(r.config), d.Kind)(t.Context(), d)
		r.freshClient(t)
		return err == nil
	}, waitLimit, waitTick)
}

// happens records a response of the service that has events.
func (r *rig) happens(t *testing.T, status order.Status, revision int, images ...order.EditedImage) {
	t.Helper()
	require.NotEmpty(t, r.becomes(t, status, revision, images...))
}

// becomes records a response of the service.
func (r *rig) becomes(t *testing.T, status order.Status, revision int, images ...order.EditedImage) []order.Event {
	t.Helper()
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	_, events, err := r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{
		ID: orderID, Status: status, Revision: &revision, EditedImages: images,
	})
	require.NoError(t, err)
	return events
}

// try delivers the announcement job once.
func (r *rig) try(t *testing.T) error {
	t.Helper()
	return handler(announce.New(r.config), store.AnnounceKind)(t.Context(), r.job)
}

// announce delivers the job until it is done, as the queue would.
func (r *rig) announce(t *testing.T) {
	t.Helper()
	var err error
	for range 50 {
		if err = r.try(t); err == nil {
			r.job.State = nil // the next job begins without
			return
		}
		if r.config.Slack == announce.Slack(r.slack) {
			r.freshClient(t)
		}
	}
	require.NoError(t, err)
}

// thread returns the first words of the card and its replies.
func (r *rig) thread(t *testing.T, channel string) []string {
	t.Helper()
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	var names []string
	for _, m := range r.w.Thread(channel, tracked.CardTS) {
		names = append(names, eventOf(m))
	}
	return names
}

func eventOf(m workspace.Message) string {
	payload, _ := m.Metadata["event_payload"].(map[string]any)
	return fmt.Sprint(payload["event"])
}

// channelOnly returns the messages in the channel itself.
func (r *rig) channelOnly(channel string) []string {
	var names []string
	for _, m := range r.w.Messages(channel) {
		names = append(names, eventOf(m))
	}
	return names
}

// buttons returns the buttons that ask for an action.
func buttons(m workspace.Message) int {
	n := 0
	for _, b := range m.Blocks {
		for _, e := range workspace.Elements(b) {
			if e["type"] == "button" && e["action_id"] != cards.ActionShow && e["action_id"] != cards.ActionReview {
				n++
			}
		}
	}
	return n
}

func (r *rig) reply(t *testing.T, channel, event string) workspace.Message {
	t.Helper()
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	thread := r.w.Thread(channel, tracked.CardTS)
	i := slices.IndexFunc(thread, func(m workspace.Message) bool { return eventOf(m) == event })
	require.GreaterOrEqual(t, i, 0, "no reply %s", event)
	return thread[i]
}

// later delivers the delayed dedupe jobs.
func (r *rig) later(t *testing.T) {
	t.Helper()
	a := announce.New(r.config)
	looked := make(chan error, 10)
	r.serve(t, func(ctx context.Context, d *queue.Delivery) error {
		if d.Kind != announce.DedupeKind {
			return nil
		}
		err := handler(a, announce.DedupeKind)(ctx, d)
		looked <- err
		return err
	}, func() {
		select {
		case err := <-looked:
			require.NoError(t, err)
		case <-time.After(waitLimit):
			require.FailNow(t, "no look was put for later")
		}
	})
}

// drain delivers every job that is due to the handler of its kind.
func (r *rig) drain(t *testing.T, handlers map[string]queue.Handler) {
	t.Helper()
	r.serve(t, func(ctx context.Context, d *queue.Delivery) error {
		return handlers[d.Kind](ctx, d)
	}, func() {
		require.Eventually(t, func() bool {
			stats, err := r.queue.Inspector().Stats(t.Context())
			return err == nil && stats.Lanes == 0
		}, waitLimit, waitTick)
	})
}

// serve runs the queue until a condition holds.
func (r *rig) serve(t *testing.T, work queue.Handler, until func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = r.queue.Run(ctx, work)
	}()
	until()
	cancel()
	<-ended
}

// waits returns how long the job asked to wait.
func waits(t *testing.T, err error) time.Duration {
	t.Helper()
	require.Error(t, err)
	text, ok := strings.CutPrefix(err.Error(), "wait ")
	require.True(t, ok, err.Error())
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	return d
}

// handler returns the announcer's handler for one kind of job.
func handler(a *announce.Announcer, kind string) queue.Handler {
	for _, k := range a.Kinds() {
		if k.Name == kind {
			return k.Work
		}
	}
	panic("no kind is called " + kind)
}
