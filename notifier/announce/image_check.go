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

// Slack fetches the pictures of a message while it is posted: one that is slow holds the message up, and
// one that never comes may leave its outcome unknown. So each is checked first, all at once and for a
// moment only, while the channel waits for its slot. What does not come in time is left to an edit.

const (
	// checkTime is what a preview may take.
	checkTime = time.Second
	// mostTogether is what the previews of one message may take together, should Slack fetch one after
	// the other.
	mostTogether = 3 * time.Second
	// checkLife is how long a check counts: a review may wait for its turn, behind others of its channel.
	checkLife = time.Minute
	// mostChecks run at once, of all reviews of all workspaces. A check keeps nothing of the picture.
	mostChecks = 48
	// checksSaved bounds the cache.
	checksSaved = 4096
)

// imageChecks remembers the previews that this process checked a moment ago.
type imageChecks struct {
	pictures Pictures
	time     time.Duration
	slots    places

	mu    sync.Mutex // between finding no check and beginning one
	known *ttlcache.Cache[string, *imageCheck]
}

// imageCheck is the check of one preview. Its result may be read once over is closed.
type imageCheck struct {
	over chan struct{}
	took time.Duration
	err  error
}

func newImageChecks(pictures Pictures, each time.Duration, slots places) *imageChecks {
	return &imageChecks{
		pictures: pictures, time: each, slots: slots,
		known: ttlcache.New(
			ttlcache.WithTTL[string, *imageCheck](checkLife), ttlcache.WithCapacity[string, *imageCheck](checksSaved), ttlcache.WithDisableTouchOnHit[string, *imageCheck](),
		),
	}
}

// begin checks previews that were not checked yet. It does not wait for them.
func (c *imageChecks) begin(ctx context.Context, addresses []string) {
	for _, address := range addresses {
		c.at(ctx, address)
	}
}

// at is the check of one preview. It outlives the job that began it: the next delivery finds it.
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
	if one.err = c.slots.take(ctx); one.err != nil {
		return
	}
	defer c.slots.leave()
	began := time.Now()
	one.err = c.pictures.Look(ctx, address)
	one.took = time.Since(began)
	if ctx.Err() != nil {
		one.err = ctx.Err()
	}
}

// verdict says which previews a message is better sent without.
type verdict struct {
	slow []string // they may come yet
	none []string // there is no picture
}

// judge waits until each address was checked, which is soon. An address that this process may not or cannot
// reach is neither good nor bad: Slack may reach it.
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

// beyond are the slowest, without which the others take no longer than that together.
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
