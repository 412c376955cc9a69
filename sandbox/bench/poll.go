package main

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"time"
)

// pollResult is what quiet ticks cost.
type pollResult struct {
	Ticks []tickFigures `json:"ticks"`
}

// tickFigures are one quiet tick's.
type tickFigures struct {
	Name     string         `json:"name"`
	Active   int            `json:"active"`
	Foreign  int            `json:"foreign"`
	Rate     int            `json:"rate"`      // UPSTREAM_RATE
	Requests int            `json:"requests"`  // to the service
	InFlight int            `json:"in_flight"` // the most at once
	Commands float64        `json:"commands"`  // of Redis, those inside scripts included, without the background
	ByName   map[string]int `json:"by_name"`   // the same, with the background
	Rest     float64        `json:"rest"`      // commands a second of the background, which were subtracted
	Wall     float64        `json:"wall_ms"`   // of the tick
	Bare     float64        `json:"bare_ms"`   // the same number of pages asked for by nobody, 8 in flight; 0: not measured
	CPU      float64        `json:"cpu_ms"`    // of the process
	Before   memory         `json:"before"`    // while it idled
	After    memory         `json:"after"`
	Cut      bool           `json:"cut"` // the tick was not over when the harness lost its patience
}

// pollLatency is what the service takes for an answer, and bareFlight how many requests the bare
// run has under way.
const (
	pollLatency = 50 * time.Millisecond
	bareFlight  = 8
)

// tickCase is what a tick is measured over.
type tickCase struct {
	name            string
	active, foreign int
	rate            int
	twice           bool // the second tick counts: the first learns how far to read
}

func (b *bench) poll() error {
	before := map[string]tickFigures{}
	if b.results.Poll != nil {
		for _, t := range b.results.Poll.Ticks {
			before[t.Name] = t
		}
	}
	b.results.Poll = &pollResult{}
	cases := []tickCase{
		{name: "10 active", active: 10, rate: 1000},
		{name: "1,000 active", active: 1000, rate: 1000},
		{name: "1,000 active, the default rate", active: 1000, rate: 5},
		{name: "10,000 active", active: 10_000, rate: 1000},
		{name: "100,000 active", active: 100_000, rate: 1000},
		{name: "5 active among 20,000 foreign", active: 5, foreign: 20_000, rate: 1000, twice: true},
	}
	for _, c := range cases {
		if c.active > b.o.most {
			if kept, measured := before[c.name]; measured {
				b.results.Poll.Ticks = append(b.results.Poll.Ticks, kept)
			}
			continue
		}
		f, err := b.pollCase(c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		log.Printf("%-32s %5d requests  %8.1f commands  tick %7.0f ms, bare %7.0f ms  %4d MB", c.name, f.Requests, f.Commands, f.Wall, f.Bare, f.After.RSS>>20)
		b.results.Poll.Ticks = append(b.results.Poll.Ticks, f)
	}
	return nil
}

// pollCase measures one tick.
func (b *bench) pollCase(c tickCase) (f tickFigures, err error) {
	w, err := b.startOutsides()
	if err != nil {
		return f, err
	}
	defer w.close()
	w.service.latency = pollLatency
	ours := activeOrders(c.active)
	if err := b.firstTick(w, c, ours[len(ours)-1]); err != nil {
		return f, err
	}
	before := w.app.memory()
	w.service.hold(amongForeign(ours, c.foreign))
	if err := b.track(w.redis, ours[:len(ours)-1], len(ours)); err != nil {
		return f, err
	}
	f, err = b.tick(w, c)
	if err == nil && c.twice {
		f, err = b.tick(w, c)
	}
	f.Before = before
	return f, err
}

// firstTick starts the binary and lets it poll once over one order: what a start costs, and the scripts that Redis has to be
// told, are behind us then.
func (b *bench) firstTick(w *smallWorld, c tickCase, one *pretendOrder) error {
	w.service.hold([]*pretendOrder{one})
	if err := b.track(w.redis, []*pretendOrder{one}, 1); err != nil {
		return err
	}
	if err := b.startApp(w, "POLL_SCHEDULE=@every 6h", fmt.Sprintf("UPSTREAM_RATE=%d", c.rate)); err != nil {
		return err
	}
	err := b.until("the first tick", 20*time.Second, 10*time.Millisecond, func() bool { return w.service.requests.Load() > 0 })
	return errors.Join(err, b.pause(settleTime))
}

// amongForeign lays orders of others between ours, which keep their times, by chance but always
// the same.
func amongForeign(ours []*pretendOrder, foreign int) []*pretendOrder {
	if foreign == 0 {
		return ours
	}
	all := make([]*pretendOrder, 0, len(ours)+foreign)
	for i := range foreign {
		all = append(all, &pretendOrder{id: fmt.Sprintf("foreign%06d", i), status: "editing"})
	}
	draws := rand.New(rand.NewPCG(7, 7))
	at := map[int]bool{}
	for len(at) < len(ours) {
		at[draws.IntN(len(all)+len(ours))] = true
	}
	mixed, mine, others := make([]*pretendOrder, 0, cap(all)), 0, 0
	for i := range cap(all) {
		if at[i] {
			mixed = append(mixed, ours[mine])
			mine++
			continue
		}
		mixed = append(mixed, all[others])
		others++
	}
	redate(mixed)
	return mixed
}

// redate gives the others times between those of ours: the list is sorted by them.
func redate(orders []*pretendOrder) {
	next := time.Now().UTC().Truncate(time.Second)
	for i, o := range orders {
		if !o.orderedAt.IsZero() {
			if o.orderedAt.Before(next) {
				next = o.orderedAt
			}
			continue
		}
		// As many steps as others lie before the next of ours fit between.
		gap, run := 24*time.Hour, 1
		for j := i + 1; j < len(orders) && orders[j].orderedAt.IsZero(); j++ {
			run++
		}
		if j := i + run; j < len(orders) {
			gap = next.Sub(orders[j].orderedAt)
		}
		next = next.Add(-gap / time.Duration(run+1))
		o.orderedAt = next
	}
}

// tick wakes the poll of the binary, and sees what it costs, and then what goes on without one.
func (b *bench) tick(w *smallWorld, c tickCase) (f tickFigures, err error) {
	app := w.app
	f = tickFigures{Name: c.name, Active: c.active, Foreign: c.foreign, Rate: c.rate}
	if err := b.pause(settleTime); err != nil {
		return f, err
	}
	before, err := b.calls(w.redis)
	if err != nil {
		return f, err
	}
	used := app.cpu()
	w.service.reset()
	counted := time.Now()
	if err := w.redis.store.Connection.WakePoll(b.ctx, true); err != nil {
		return f, err
	}
	last, over, err := b.tickEnd(w.service, app)
	if err != nil {
		return f, fmt.Errorf("%w; it says:\n%s", err, app.said())
	}
	if failed := app.saying("poll failed"); failed != "" {
		log.Printf("%s: %.600s", c.name, failed)
		over = false
	}
	if asked := int(w.service.requests.Load()); c.foreign == 0 && asked < c.active/perPage {
		log.Printf("%s: %d requests cannot have shown all of them", c.name, asked)
		over = false
	}
	f.Cut = !over
	after, err := b.calls(w.redis)
	if err != nil {
		return f, err
	}
	took := time.Since(counted)
	f.CPU, f.After = ms(app.cpu()-used), app.memory()
	f.Requests, f.InFlight, f.Wall = int(w.service.requests.Load()), int(w.service.most.Load()), ms(last.Sub(counted))
	if f.Rest, err = b.restOf(w.redis); err != nil {
		return f, err
	}
	f.ByName = less(after, before)
	f.Commands = max(float64(total(f.ByName))-commandsOfWake-f.Rest*took.Seconds(), 0)
	if c.rate >= 1000 && c.foreign == 0 && over {
		bare, err := b.bareRequests(w.service, f.Requests)
		if err != nil {
			return f, err
		}
		f.Bare = ms(bare)
	}
	return f, nil
}

// settleTime is how long the binary idles before anything is counted.
const settleTime = 2 * time.Second

// restOf is how many commands a second Redis carries out while the binary has
// nothing to do: the queue's heartbeats.
func (b *bench) restOf(r *redisServer) (float64, error) {
	const idle = 4 * time.Second
	before, err := b.calls(r)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := b.pause(idle); err != nil {
		return 0, err
	}
	after, err := b.calls(r)
	return float64(total(less(after, before))) / time.Since(began).Seconds(), err
}

// commandsOfWake are those with which the harness wakes the poll: a script, and those inside it.
const commandsOfWake = 10

// tickPatience is how long a tick may take; one that takes longer is said to.
const tickPatience = 3 * time.Minute

// tickEnd waits until the service was asked and then left alone, and the binary has come to rest. It says
// when the last answer went, and whether that was the end.
func (b *bench) tickEnd(s *pretendService, app *process) (last time.Time, over bool, err error) {
	const quiet, rest = 1500 * time.Millisecond, 100 * time.Millisecond
	deadline := time.Now().Add(tickPatience)
	for !over && time.Now().Before(deadline) {
		used := app.busy()
		if err := b.pause(quiet / 3); err != nil {
			return last, false, err
		}
		_, last = s.span()
		over = !last.IsZero() && s.under.Load() == 0 && time.Since(last) > quiet && app.busy()-used < rest
	}
	if last.IsZero() {
		err = errors.New("the service was not asked")
	}
	return last, over, err
}

// bareRequests asks for so many pages of the list and does nothing else, 8 at once: no poller can be
// faster that has 8 under way.
func (b *bench) bareRequests(s *pretendService, pages int) (time.Duration, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: bareFlight}}
	defer client.CloseIdleConnections()
	began := time.Now()
	err := parallel(bareFlight, 0, int64(pages), func(n int64) error {
		return get(b.ctx, client, fmt.Sprintf("%s/orders?page=%d", s.base, n+1))
	})
	return time.Since(began), err
}
