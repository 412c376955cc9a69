package notifier

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"darkroom/store"
)

// Ticker looks once at what one workspace follows; a [Poller] is one. An error that is [ErrNoAnswer] says that
// its service answered nothing.
type Ticker interface {
	Tick(ctx context.Context) error
}

// Presence tells replicas of each other.
type Presence interface {
	// Here says that this replica is here, and returns its place among those that are, from 0, and how many they are.
	Here(ctx context.Context) (place, of int, err error)
	// Leave says that it is not any more.
	Leave(ctx context.Context) error
}

// RoundsConfig is what [Rounds] work with; those without a zero are required.
type RoundsConfig struct {
	Shards     int                                                    // in which the workspaces are; 0: 16
	Lock       func(shard int) Lock                                   // elects the replica that polls a shard; made with the TTL [Lease]
	Presence   Presence                                               // nil: this replica is the only one
	Workspaces func(ctx context.Context, shard int) ([]string, error) // of a shard
	// Busy tells of each of these workspaces whether it has orders that can change, or a channel that lags behind, or one that
	// is told what time brings. The others are only polled every ten minutes. Nil: all are busy.
	// They are of one shard.
	Busy func(ctx context.Context, workspaces []string) ([]bool, error)
	// Poller makes what polls a workspace; nil without an error: there is nothing to poll.
	Poller   func(ctx context.Context, workspace string) (Ticker, error)
	Schedule string        // see [ParseSchedule]
	Places   int           // polls at once in this process; 0: 32
	Deadline time.Duration // of one poll; 0: a minute
	Kept     int           // pollers that are kept between polls; 0: 4096
	Observe  func(Visit)   // hears of each poll; nil: nobody does
	Log      *slog.Logger  // nil: the default logger
}

// Visit is what became of one poll of a workspace.
type Visit struct {
	Workspace string
	Late      time.Duration // how long after it was due it began
	Took      time.Duration
	Slow      bool  // it is of those that are slow, that have no answer, or that wait for turns at their account
	Cut       bool  // it was ended to make room for others
	Err       error // what failed; nil: nothing
}

const (
	idleEvery   = 10 * time.Minute       // how often a workspace is polled that is not busy: as its finished orders are looked after
	tickerLife  = 10 * time.Minute       // after which a kept poller is made anew: what it is made of may have changed
	agendaEvery = 100 * time.Millisecond // how often the agenda is looked at
	askedOnce   = 128                    // workspaces of a shard of which Redis is asked at once whether they are busy
	askAgain    = time.Second            // after which it is asked again that did not answer
	askSoon     = 200 * time.Millisecond // so long others wait for their turn until it answers
	probeTime   = 10 * time.Second       // of a poll of a service that did not answer the last one
	handover    = Lease + 2*renewEvery   // how long nobody may have polled a shard that is taken over
)

// Rounds poll many workspaces, each as often as the schedule says. Replicas share them by shards, each of which
// one replica has at a time; each workspace has its place in a period; and no service takes the time of others.
//
// One poll of a workspace runs at a time, and no more than a bounded number in a process. Those that take long
// have a part of these places, and what nobody needs of the others', and are asked less often; those that wait for turns at
// an account have some of their own. What can be had for nothing is not asked: whether a
// workspace has anything to poll is one question to Redis for many of them.
type Rounds struct {
	RoundsConfig
	wake chan struct{} // something has ended or begun; at most one is noted

	mu      sync.Mutex // guards the rest
	agenda  *agenda
	shards  map[int]*shard // that this replica has
	running map[*poll]bool
	kept    int       // tickers
	told    time.Time // when somebody was last told that the rounds are put off
	polled  sumOfPolls
}

// poll is one poll that is under way.
type poll struct {
	*entry
	began time.Time
	late  time.Duration
	class int           // whose place it has
	cut   bool          // it must make room
	line  *store.InLine // how long it waited for turns
	stop  context.CancelFunc
}

// NewRounds returns rounds, or what is wrong with their schedule.
func NewRounds(c RoundsConfig) (*Rounds, error) {
	t, err := newTimetable(c.Schedule)
	if err != nil {
		return nil, err
	}
	c.Shards, c.Places, c.Kept = cmp.Or(c.Shards, 16), cmp.Or(c.Places, 32), cmp.Or(c.Kept, 4096)
	c.Deadline, c.Log = cmp.Or(c.Deadline, time.Minute), cmp.Or(c.Log, slog.Default())
	return &Rounds{
		RoundsConfig: c, wake: make(chan struct{}, 1), agenda: newAgenda(t, c.Places),
		shards: map[int]*shard{}, running: map[*poll]bool{}, polled: sumOfPolls{said: time.Now()},
	}, nil
}

// Run polls until ctx ends. Then polls that run are cut short and the shards given up, so that other replicas
// can go on at once.
func (r *Rounds) Run(ctx context.Context) error {
	var work sync.WaitGroup
	work.Go(func() { r.share(ctx) })
	beats := time.NewTicker(agendaEvery)
	defer beats.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-beats.C:
			r.begin(ctx)
		case <-r.wake:
			r.begin(ctx)
		}
	}
	work.Wait()
	return nil
}

func (r *Rounds) wakeUp() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Drop forgets what was kept of a workspace: its account has changed, say. The next poll makes it anew.
func (r *Rounds) Drop(workspace string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.shards {
		if e := s.entries[workspace]; e != nil {
			r.forget(e)
		}
	}
}

// forget is Drop for who holds the lock.
func (r *Rounds) forget(e *entry) {
	if e.ticker != nil {
		e.ticker, r.kept = nil, r.kept-1
	}
}

// Where is how the rounds of this replica stand.
type Where struct {
	Shards     int           // that it has
	Workspaces int           // in them
	Slow       int           // of these: slow ones, and those whose service does not answer
	Queued     int           // of them: those that wait for turns at an account that too many share
	Polls      int           // under way
	SlowPolls  int           // of these: in places of the slow
	Waiting    int           // due, and not begun
	Late       time.Duration // for how long the first of them has waited, the slow ones left out
	Kept       int           // pollers that are kept
}

// Where tells how the rounds of this replica stand.
func (r *Rounds) Where() Where {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, w := time.Now(), Where{Shards: len(r.shards), Polls: len(r.running), Kept: r.kept}
	for _, s := range r.shards {
		w.Workspaces += len(s.entries)
	}
	for p := range r.running {
		switch p.class {
		case slow:
			w.SlowPolls++
		case queued:
			w.Queued++
		}
	}
	waiting, since := r.agenda.waiting(quick, now)
	slowWaiting, _ := r.agenda.waiting(slow, now)
	queuedWaiting, _ := r.agenda.waiting(queued, now)
	w.Waiting, w.Slow = waiting+slowWaiting+queuedWaiting, r.agenda.lines[slow].Len()+w.SlowPolls
	w.Queued += r.agenda.lines[queued].Len()
	for _, s := range r.shards {
		for _, e := range s.unasked {
			switch {
			case e.gone():
				continue
			case e.class() == quick:
				since = earlier(since, e.due)
			case e.class() == slow:
				w.Slow++
			default:
				w.Queued++
			}
			w.Waiting++
		}
	}
	if !since.IsZero() {
		w.Late = now.Sub(since)
	}
	return w
}
