package review

import (
	"context"
	"time"

	"github.com/jellydator/ttlcache/v3"
	"golang.org/x/time/rate"

	"darkroom/files"
)

// The bounds of a replica. People's commands share its processors and Redis.
const (
	allRate, allBurst   = 40, 80 // pages a second
	linkRate, linkBurst = 4, 24  // the same of one round, whose links share the bound
	atOnce              = 4      // pages that are read at once
	readTime            = 5 * time.Second
	maxLinks            = 4096 // rounds with a limiter, the latest ones
)

// limits bound how many pages are read.
type limits struct {
	all   *rate.Limiter
	links *ttlcache.Cache[files.Bundle, *rate.Limiter]
	slots chan struct{}
}

func newLimits() *limits {
	return &limits{
		all: rate.NewLimiter(allRate, allBurst), slots: make(chan struct{}, atOnce),
		links: ttlcache.New(
			ttlcache.WithTTL[files.Bundle, *rate.Limiter](time.Minute), ttlcache.WithCapacity[files.Bundle, *rate.Limiter](maxLinks),
		),
	}
}

// enter waits for a slot until ctx ends; leave frees it. The error is errOften or errBusy.
func (l *limits) enter(ctx context.Context, b files.Bundle) (leave func(), err error) {
	link, _ := l.links.GetOrSetFunc(b, func() *rate.Limiter { return rate.NewLimiter(linkRate, linkBurst) })
	switch {
	case !link.Value().Allow():
		return nil, errOften
	case !l.all.Allow():
		return nil, errBusy
	}
	select {
	case l.slots <- struct{}{}:
		return func() { <-l.slots }, nil
	case <-ctx.Done():
		return nil, errBusy
	}
}
