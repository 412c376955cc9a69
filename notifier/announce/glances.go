package announce

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"darkroom/files"
)

// Slack fetches the pictures of a message while it is posted: one that is slow holds the message up, and
// one that never comes may leave its outcome unknown. So each is looked at first, all at once and for a
// moment only, while the channel waits for its turn. What does not come in time is left to an edit.

const (
	// glanceTime is what a preview may take.
	glanceTime = time.Second
	// mostTogether is what the previews of one message may take together, should Slack fetch one after
	// the other.
	mostTogether = 3 * time.Second
	// glanceLife is how long a look counts: a review may wait for its turn, behind others of its channel.
	glanceLife = time.Minute
	// mostGlances are under way at once, of all reviews of all workspaces. A look keeps nothing of the picture.
	mostGlances = 48
	// glancesKept bounds what is remembered.
	glancesKept = 4096
)

// glances are what this process knows of previews that it has looked at a moment ago.
type glances struct {
	pictures Pictures
	time     time.Duration
	slots    places

	mu    sync.Mutex // between finding no look and beginning one
	known *ttlcache.Cache[string, *glance]
}

// glance is one preview's. What it found may be read when it is over.
type glance struct {
	over chan struct{}
	took time.Duration
	err  error
}

func newGlances(pictures Pictures, each time.Duration) *glances {
	return &glances{
		pictures: pictures, time: each, slots: allOf(mostGlances),
		known: ttlcache.New(
			ttlcache.WithTTL[string, *glance](glanceLife), ttlcache.WithCapacity[string, *glance](glancesKept), ttlcache.WithDisableTouchOnHit[string, *glance](),
		),
	}
}

// begin looks at previews that nobody has looked at yet. It does not wait for them.
func (l *glances) begin(ctx context.Context, addresses []string) {
	for _, address := range addresses {
		l.at(ctx, address)
	}
}

// at is the look at one preview, which outlives the job that began it: its next delivery finds it.
func (l *glances) at(ctx context.Context, address string) *glance {
	l.mu.Lock()
	defer l.mu.Unlock()
	if item := l.known.Get(address); item != nil {
		return item.Value()
	}
	one := &glance{over: make(chan struct{})}
	l.known.Set(address, one, ttlcache.DefaultTTL)
	go l.look(context.WithoutCancel(ctx), address, one)
	return one
}

func (l *glances) look(ctx context.Context, address string, one *glance) {
	defer close(one.over)
	ctx, cancel := context.WithTimeout(ctx, l.time)
	defer cancel()
	if one.err = l.slots.take(ctx); one.err != nil {
		return
	}
	defer l.slots.leave()
	began := time.Now()
	one.err = l.pictures.Look(ctx, address)
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

// judge waits until each of them was looked at, which is soon. What this process may not or cannot reach
// at all is none of both: Slack may.
func (l *glances) judge(ctx context.Context, addresses []string) (v verdict, err error) {
	l.begin(ctx, addresses)
	var good []string
	took := map[string]time.Duration{}
	for _, address := range addresses {
		one := l.at(ctx, address)
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

// hostOf is where a picture is kept; "" when that is not to be told.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
