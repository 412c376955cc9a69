package poll_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/ratelimit"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

// shift is a workspace's poll job in a bubble whose clock starts at a whole minute. The test delivers it.
type shift struct {
	t *testing.T
	d *queue.Delivery
}

func newShift(t *testing.T) *shift {
	t.Helper()
	return &shift{t, &queue.Delivery{Job: tenants.PollJob(), PutAt: time.Now().Add(-time.Hour)}}
}

// work delivers the job and returns its next wait: "wait 30s", "idle 24h0m0s".
func (s *shift) work(p *poll.Poller) string {
	s.t.Helper()
	err := p.Work(s.t.Context(), s.d)
	require.Error(s.t, err, "it is never done")
	_, wait, _ := strings.Cut(err.Error(), " ")
	d, parsed := time.ParseDuration(wait)
	require.NoError(s.t, parsed, err)
	s.d.WaitedUntil = time.Now().Add(d)
	return err.Error()
}

// due waits until the job is due and delivers it.
func (s *shift) due(p *poll.Poller) string {
	s.t.Helper()
	<-time.After(time.Until(s.d.WaitedUntil))
	return s.work(p)
}

func TestAPollWaitsForTheSchedule(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := serviceOf(3)
		p := newPoller(t, poll.Config{Service: service, Store: following(service, 0, 1).parts(), Schedule: "@every 30s"})
		s := newShift(t)
		<-time.After(10 * time.Second)
		require.Equal(t, "wait 20s", s.work(p), "whole periods count")
		require.Equal(t, []string{"list 1"}, service.asked())
		require.Equal(t, "wait 30s", s.due(p))
		service.takes = 7 * time.Second
		require.Equal(t, "wait 23s", s.due(p))
		p = newPoller(t, poll.Config{Service: service, Store: following(service, 0, 1).parts(), Schedule: "@every 5s"})
		require.Equal(t, "wait 3s", s.due(p), "who takes longer than a period is asked at the next one that begins")
	})
}

// Ten thousand workspaces are polled at different times, the same ones on every replica.
func TestPollsOfManyWorkspacesAreSpreadOverThePeriod(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const n = 10_000
		perSecond := make([]int, 30)
		for i := range n {
			id := fmt.Sprintf("T%05d", i)
			p := newPoller(t, poll.Config{Service: serviceOf(0), Store: following(serviceOf(0)).parts(), Workspace: id, Schedule: "@every 30s"})
			d := queue.Delivery{Job: tenants.PollJob(), PutAt: time.Now()}
			wait, err := time.ParseDuration(strings.TrimPrefix(p.Work(t.Context(), &d).Error(), "wait "))
			require.NoError(t, err, "it is new, and waits for its place")
			perSecond[int(wait.Seconds())%30]++
		}
		require.Greater(t, slices.Min(perSecond), n/30*8/10)
		require.Less(t, slices.Max(perSecond), n/30*12/10)
	})
}

func TestAServiceThatDoesNotAnswerIsAskedLessOften(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := serviceOf(3)
		p := newPoller(t, poll.Config{Service: service, Store: following(service, 0).parts(), Schedule: "@every 30s", Workspace: "T1"})
		s := newShift(t)
		service.refuses = order.ErrUnavailable
		for _, wait := range []string{"idle 30s", "idle 1m0s", "idle 2m0s", "idle 3m0s", "idle 3m0s"} {
			require.Equal(t, wait, s.due(p))
		}
		service.asked()
		<-time.After(time.Second)
		require.Equal(t, "idle 3m0s", s.work(p), "it was woken: a person's call succeeded")
		require.NotEmpty(t, service.asked())
		service.refuses = nil
		require.Contains(t, s.due(p), "wait ")
		service.refuses = order.ErrUnavailable
		require.Equal(t, "idle 30s", s.due(p), "it begins anew")
	})
}

// silence is a service that uses a slot for each call and never answers.
type silence struct {
	*silentService
	taken atomic.Int64
	turn  time.Duration // until the turn of a call comes
}

func (s *silence) List(ctx context.Context, f order.Filter) (page order.Page, err error) {
	if err = s.wait(ctx); err == nil {
		page, err = s.silentService.List(ctx, f)
	}
	return page, err
}

func (s *silence) Fetch(ctx context.Context, id string) (o order.Order, err error) {
	if err = s.wait(ctx); err == nil {
		o, err = s.silentService.Fetch(ctx, id)
	}
	return o, err
}

func (s *silence) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ratelimit.ErrNoSlot, ctx.Err())
	case <-time.After(s.turn):
	}
	s.taken.Add(1)
	return nil
}

func (s *silence) Expect(int) {}

func (s *silence) Taken() (turns, batches int64) { return s.taken.Load(), s.taken.Load() }

// The service has ten seconds for its first answer, and a minute in every fourth poll. Waiting for the
// account's rate limit does not count.
func TestAPollEndsWhenTheServiceDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service, heard := &silence{silentService: &silentService{}}, &opsChannel{}
		p := newPoller(t, poll.Config{Service: service, Store: following(serviceOf(1), 0).parts(), Slots: service, Schedule: "@every 30s", Workspace: "T1", Ops: heard.hear})
		s := newShift(t)
		for i, want := range []time.Duration{10, 10, 10, 60, 10} {
			service.turn = time.Duration(i) * time.Minute
			<-time.After(time.Until(s.d.WaitedUntil))
			began := time.Now()
			require.Contains(t, s.work(p), "idle ")
			require.InDelta(t, service.turn+want*time.Second, time.Since(began), float64(2*time.Second), "poll %d", i)
		}
		require.Len(t, heard.said, 1, "the operations channel hears that the service is down")
	})
}

// A poll of a service that answers runs to its end, however long it takes.
func TestAPollThatIsAnsweredGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := serviceOf(200)
		service.takes = 9 * time.Second
		n := following(service, upTo(200)...)
		p := newPoller(t, poll.Config{Service: service, Store: n.parts(), Schedule: "@every 30s"})
		for i := range 200 {
			service.set(fmt.Sprint("o", i), order.StatusReviewing, 0)
		}
		require.Contains(t, newShift(t).work(p), "wait ")
		require.Len(t, n.recorded, 200)
	})
}

func TestAWorkspaceWithNothingToLookAtIsLeftAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service, n := serviceOf(3), following(serviceOf(3))
		p := newPoller(t, poll.Config{Service: service, Store: n.parts(), Schedule: "@every 30s", Workspace: "T1"})
		s := newShift(t)
		require.Equal(t, "idle 24h0m0s", s.due(p))
		require.Empty(t, service.asked())
		n.active["o1"] = store.Active{Status: order.StatusEditing, Version: 1}
		<-time.After(time.Hour)
		require.Contains(t, s.work(p), "wait ", "an order was added, and woke it")
		require.Empty(t, service.asked(), "its place comes")
		require.Equal(t, "wait 30s", s.due(p))
		require.NotEmpty(t, service.asked())
		delete(n.active, "o1")
		n.behind = []string{"o1"}
		require.Equal(t, "wait 30s", s.due(p), "a channel does not show all yet")
		n.behind = nil
		require.Equal(t, "idle 24h0m0s", s.due(p))
	})
}

// The app's only workspace is polled at once after a start, and on schedule even with nothing to poll.
// Alerts use the time of the last poll.
func TestTheOnlyWorkspaceIsPolledAtOnceAndAlways(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service, polls := serviceOf(3), 0
		p := newPoller(t, poll.Config{Service: service, Store: following(service).parts(), Only: true, Schedule: "@every 6h", Observe: func(poll.Cost) { polls++ }})
		s := newShift(t)
		s.d.PutAt = time.Now()
		require.Equal(t, "wait 6h0m0s", s.work(p))
		require.Equal(t, 1, polls)
		require.Equal(t, "wait 6h0m0s", s.work(p), "woken")
		require.Equal(t, 2, polls)
	})
}

// The cutoff is saved with the job, so another replica uses it.
func TestAnotherReplicaGoesByWhatWasLearned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := serviceOf(12)
		for i := range service.orders {
			service.orders[i].OrderedAt = time.Now().Add(-time.Duration(1+i) * time.Hour)
		}
		n := following(service, upTo(12)...)
		d := &lossyService{t: t, s: service}
		d.crowds(100)
		s := newShift(t)
		replica := func() *poll.Poller {
			return newPoller(t, poll.Config{Service: service, Store: n.parts(), Schedule: "@every 30s", Workspace: "T1"})
		}
		s.due(replica())
		service.asked()
		s.due(replica())
		asked := service.asked()
		require.Len(t, asked, 12)
		require.NotContains(t, asked, "list 1")
		s.d.State = nil
		s.due(replica())
		require.Contains(t, service.asked(), "list 1", "it was the state")
		s.d.State = []byte(`"not a state"`)
		require.Contains(t, s.due(replica()), "wait ")
	})
}

// A bug or an unreachable store ends only that poll. The job never dies.
func TestAPollThatFailsComesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service, polls := serviceOf(1), 0
		n := following(service, 0)
		p := newPoller(t, poll.Config{Service: service, Store: n.parts(), Schedule: "@every 30s", Observe: func(poll.Cost) {
			if polls++; polls == 2 {
				panic("a mistake in the program")
			}
		}})
		s := newShift(t)
		for i := range 3 {
			require.Equal(t, "wait 30s", s.due(p), "poll %d", i)
		}
		n.dead = errors.New("the record is away")
		require.Equal(t, "wait 30s", s.due(p))
	})
}

// A poll is handed back when its process stops, and another replica polls at once.
func TestAPollThatIsCutOffIsHandedBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPoller(t, poll.Config{Service: &silentService{}, Store: following(serviceOf(1), 0).parts(), Schedule: "@every 30s"})
		ctx, end := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, end)
		err := p.Work(ctx, newShift(t).d)
		require.ErrorIs(t, err, context.Canceled)
	})
}

// With the real queue, two replicas poll in turn, and a new order wakes the poll.
func TestReplicasPollInTurnAndAnOrderWakesThePoll(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		r := newRecord(rdb)
		service := serviceWith(3)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 2)
		var running, polls atomic.Int64
		for range 2 {
			p := newPoller(t, poll.Config{Service: service, Store: poll.StoreOf(r.Store), Schedule: "@every 1s", Workspace: "T1", Reminders: poll.NewReminders(r.Settings, r.Orders, r.Reminders, 0)})
			q := queue.New(rdb, queue.Options{Name: tenants.PollQueue, Idle: 10 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
			go func() {
				ended <- q.Run(ctx, func(ctx context.Context, d *queue.Delivery) error {
					assert.EqualValues(t, 1, running.Add(1), "one at a time")
					defer running.Add(-1)
					polls.Add(1)
					return p.Work(ctx, d)
				})
			}()
		}
		r.place(t)
		require.Eventually(t, func() bool { return len(service.asked()) > 0 }, 30*time.Second, 5*time.Millisecond)
		service.set(orderID, order.StatusClosed, 0)
		require.Eventually(t, func() bool { return slices.Contains(eventIDs(t, r), "approved") }, 30*time.Second, 5*time.Millisecond)
		stop()
		require.NoError(t, errors.Join(<-ended, <-ended))
		require.Greater(t, polls.Load(), int64(1))
	})
}
