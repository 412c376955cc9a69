package announce_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/ratelimit"
	"darkroom/store/storetest"
)

// openReplicas starts more replicas for the rig's store. Their clients share the rate limit pace.
func (r *rig) openReplicas(t *testing.T, workers int, pace float64) {
	t.Helper()
	slack := client.New(client.Config{Token: "xoxb-sandbox-token", APIURL: r.w.APIURL(), Rate: pace, Limiter: ratelimit.NewChannels(r.rdb, r.queue.Keyspace())})
	q := queue.New(r.rdb, queue.Options{Workers: workers, Logger: slog.New(slog.DiscardHandler)})
	own := r.config
	own.Slack, own.Queue = wholeOf(slack), q
	a := announce.New(own)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx, handler(a, store.AnnounceKind)) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
		slack.Close()
	})
}

// idle waits until the queue is empty.
func (r *rig) idle(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		stats, err := r.queue.Inspector().Stats(t.Context())
		return err == nil && stats.Lanes == 0
	}, time.Minute, waitTick)
}

// calls counts the calls of a method and those that were rate-limited.
func (r *rig) calls(method string) (all, limited int) {
	for _, c := range r.w.Requests() {
		if c.Method == method {
			all++
			if c.Error == "ratelimited" {
				limited++
			}
		}
	}
	return all, limited
}

// fast is a clock that runs faster, so a channel accepts more posts a second.
func fast(times int) func() time.Time {
	began := time.Now()
	return func() time.Time { return began.Add(time.Duration(times) * time.Since(began)) }
}

func TestReplicasKeepAChannelsPaceTogether(t *testing.T) {
	t.Parallel()
	const times, orders = 5, 10
	r := newRigOver(t, storetest.Client(t), workspace.Options{PostBurst: 3, Now: fast(times)})
	for n := range orders {
		r.placeOrder(t, fmt.Sprintf("paced%02d", n), shoots)
	}
	began := time.Now()
	for range 2 {
		r.openReplicas(t, 4, times*0.95)
	}
	r.idle(t)
	posts, limited := r.calls("chat.postMessage")
	t.Logf("two replicas, one channel: %d posts in %v, %d of them refused (a channel takes %d a second here)",
		posts, time.Since(began).Round(time.Millisecond), limited, times)
	require.Zero(t, limited, "together they are no faster than one")
	require.Equal(t, 2*orders, posts)
	require.Len(t, r.channelOnly(shoots), orders)
}

func TestWhatAChannelMustWaitForHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	const backlogs, each, workers = 20, 12, 3
	paces := map[string]struct {
		burst int
		pace  float64
	}{
		"by its pace":           {-1, 1},
		"because slack says so": {1, 10000}, // a second post at once meets a 429
	}
	for name, tt := range paces {
		t.Run(name, func(t *testing.T) {
			r := newRigOver(t, storetest.Client(t), workspace.Options{PostBurst: tt.burst})
			for n := range backlogs {
				channel := fmt.Sprintf("C0BUSY%d", n)
				r.w.AddChannel(workspace.Channel{ID: channel, Name: fmt.Sprintf("busy-%d", n), Members: []string{"maria", "darkroom"}})
				for i := range each {
					r.placeOrder(t, fmt.Sprintf("busy%d-%d", n, i), channel)
				}
			}
			r.openReplicas(t, workers, tt.pace)
			require.Eventually(t, func() bool { n, _ := r.calls("chat.postMessage"); return n >= backlogs }, waitLimit, waitTick)

			r.placeOrder(t, orderID, shoots)
			require.Eventually(t, func() bool { return len(r.channelOnly(shoots)) == 1 }, waitLimit, waitTick)
			stats, err := r.queue.Inspector().Stats(t.Context())
			require.NoError(t, err)
			t.Logf("%d jobs wait in %d channels, %d workers: another channel's card is out", stats.Jobs, backlogs, workers)
			require.Greater(t, stats.Jobs, backlogs*each/2, "most of the others wait still")
		})
	}
}

func TestManyChangesCostFewEdits(t *testing.T) {
	t.Parallel()
	r := newRigOver(t, storetest.Client(t), workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	const changes = 30
	for revision := range changes {
		r.happens(t, order.StatusReviewing, revision)
	}
	before, _ := r.calls("chat.update")
	r.openReplicas(t, 4, 50)
	r.idle(t)
	after, _ := r.calls("chat.update")
	posts, _ := r.calls("chat.postMessage")
	t.Logf("%d changes: %d posts, %d chat.update", changes, posts, after-before)
	require.LessOrEqual(t, after-before, 2)
	want := []string{"card", "placed", "ready:r0"}
	for n := 1; n < changes; n++ {
		want = append(want, fmt.Sprint("changes:r", n), fmt.Sprint("ready:r", n))
	}
	require.Equal(t, want, r.thread(t, shoots))
}

func TestALimitOnEditsHoldsUpNoReplies(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0)
	r.w.Misbehave("chat.update", workspace.TooMany(40*time.Second), 1)
	require.NoError(t, r.try(t), "the lane goes on")
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
	require.NotContains(t, blockText(r.reply(t, shoots, "card")), "Ready for review")
	require.Len(t, r.put.jobs, 1)
	require.InDelta(t, 40*time.Second, r.put.delays[0], float64(time.Second), "as long as Slack asks")

	r.happens(t, order.StatusClosed, 0)
	r.job.State = nil
	require.NoError(t, r.try(t), "the limit is still on")
	require.Equal(t, []string{"card", "placed", "ready:r0", "approved"}, r.thread(t, shoots))

	r.freshClient(t)
	r.job.State = nil
	r.job.Job = r.put.jobs[0]
	require.NoError(t, r.try(t))
	require.Zero(t, buttons(r.reply(t, shoots, "card")))
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")), "superseded buttons go then too")
	edits, _ := r.calls("chat.update")
	r.job.State = nil
	r.job.Job = r.put.jobs[len(r.put.jobs)-1]
	require.NoError(t, r.try(t))
	again, _ := r.calls("chat.update")
	require.Equal(t, edits, again, "one edit shows all")
}

func TestACardThatIsGoneWhileEditsAreLimitedIsPostedAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	r.w.DeleteMessage(shoots, tracked.CardTS)
	r.happens(t, order.StatusReviewing, 0)
	r.w.Misbehave("chat.update", workspace.TooMany(40*time.Second), 1)
	r.announce(t)
	require.Equal(t, []string{"card", "ready:r0"}, r.thread(t, shoots))
	require.Empty(t, r.w.Violations())
}

func TestRepliesThatWaitForTheirTurnCostOneEdit(t *testing.T) {
	t.Parallel()
	r := newRigOver(t, storetest.Client(t), workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	for revision := range 5 {
		r.happens(t, order.StatusReviewing, revision)
	}
	r.openReplicas(t, 1, 5)
	r.idle(t)
	edits, _ := r.calls("chat.update")
	require.Equal(t, 2, edits, "one before them, and one when the review is out")
	require.Len(t, r.thread(t, shoots), 11)
}
