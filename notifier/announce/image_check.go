package announce

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"darkroom/files"
)

// Slack fetches a message's pictures while the message is posted. A slow one delays the message, and one
// that never arrives may leave its outcome unknown. So all are checked first, concurrently and for a
// moment, while the channel waits for its slot. A later edit adds those that are too slow.

const (
	// checkTime bounds the check of one preview.
	checkTime = time.Second
	// mostTogether bounds the sum over a message's previews, in case Slack fetches them one by one.
	mostTogether = 3 * time.Second
	// checkLife is how long a check counts. A review may wait for its slot behind others.
	checkLife = time.Minute
	// mostChecks bounds concurrent checks of the process. A check stores nothing of the picture.
	mostChecks = 48
	// checksSaved bounds the cache.
	checksSaved = 4096
)

// imageChecks caches this process's recent checks of previews.
type imageChecks struct {
	pictures Pictures
	time     time.Duration
	slots    previewSlots

	mu    sync.Mutex // makes looking up and starting a check one step
	known *ttlcache.Cache[string, *imageCheck]
}

// imageCheck is the check of one preview. Its result is valid once over is closed.
type imageCheck struct {
	over chan struct{}
	took time.Duration
	err  error
}

func newImageChecks(pictures Pictures, each time.Duration, slots previewSlots) *imageChecks {
	return &imageChecks{
		pictures: pictures, time: each, slots: slots,
		known: ttlcache.New(
			ttlcache.WithTTL[string, *imageCheck](checkLife), ttlcache.WithCapacity[string, *imageCheck](checksSaved), ttlcache.WithDisableTouchOnHit[string, *imageCheck](),
		),
	}
}

// begin starts checks of previews that have none. It does not wait for them.
func (c *imageChecks) begin(ctx context.Context, addresses []string) {
	for _, address := range addresses {
		c.at(ctx, address)
	}
}

// at returns the check of one preview and starts it if needed. The check outlives the job, so the next
// delivery finds it.
func (c *imageChecks) at(ctx context.Context, address string) *imageCheck {
	c.mu.Lock()
	defer c.mu.Unlock()
	if item := c.known.Get(address); item != nil {
		return item.Value()
	}
	one := &imageCheck{over: make(chan struct{})}
	c.known.Set(address, one, ttlcache.DefaultTTL)
	go c.check(context.WithoutCancel(ctx), address, one)
	return one
}

func (c *imageChecks) check(ctx context.Context, address string, one *imageCheck) {
	defer close(one.over)
	ctx, cancel := context.WithTimeout(ctx, c.time)
	defer cancel()
	if one.err = c.slots.acquire(ctx); one.err != nil {
		return
	}
	defer c.slots.release()
	began := time.Now()
	one.err = c.pictures.Look(ctx, address)
	one.took = time.Since(began)
	if ctx.Err() != nil {
		one.err = ctx.Err()
	}
}

// verdict lists previews that a message should be sent without.
type verdict struct {
	slow []string // these may still arrive
	none []string // these do not exist
}

// judge waits for the checks of all addresses, which takes a moment. It ignores an address that this
// process must not or cannot reach: Slack may reach it.
func (c *imageChecks) judge(ctx context.Context, addresses []string) (v verdict, err error) {
	c.begin(ctx, addresses)
	var good []string
	took := map[string]time.Duration{}
	for _, address := range addresses {
		one := c.at(ctx, address)
		select {
		case <-one.over:
		case <-ctx.Done():
			return v, ctx.Err()
		}
		switch {
		case one.err == nil:
			good, took[address] = append(good, address), one.took
		case errors.Is(one.err, context.DeadlineExceeded):
			v.slow = append(v.slow, address)
		case errors.Is(one.err, files.ErrGone), errors.Is(one.err, files.ErrNotPicture), errors.Is(one.err, files.ErrEmpty):
			v.none = append(v.none, address)
		}
	}
	v.slow = append(v.slow, beyond(mostTogether, good, took)...)
	return v, nil
}

// beyond returns the slowest previews, so that the others take at most most in total.
func beyond(most time.Duration, addresses []string, took map[string]time.Duration) []string {
	slices.SortStableFunc(addresses, func(a, b string) int { return cmp.Compare(took[a], took[b]) })
	var sum time.Duration
	for i, address := range addresses {
		if sum += took[address]; sum > most {
			return addresses[i:]
		}
	}
	return nil
}
