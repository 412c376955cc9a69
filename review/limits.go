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
	links *ttlcache.Cache[reader, *rate.Limiter]
	slots chan struct{}
}

// reader is whose requests share a bound: all who have the link of a round, or the person of a link to set pins.
type reader struct {
	files.Bundle
	user string
}

func newLimits() *limits {
	return &limits{
		all: rate.NewLimiter(allRate, allBurst), slots: make(chan struct{}, atOnce),
		links: ttlcache.New(
			ttlcache.WithTTL[reader, *rate.Limiter](time.Minute), ttlcache.WithCapacity[reader, *rate.Limiter](maxLinks),
		),
	}
}

// enter waits for a slot until ctx ends; leave frees it. The error is errOften or errBusy.
func (l *limits) enter(ctx context.Context, at link) (leave func(), err error) {
	by := reader{Bundle: at.Bundle}
	if at.marking != nil {
		by.user = at.marking.User
	}
	link, _ := l.links.GetOrSetFunc(by, func() *rate.Limiter { return rate.NewLimiter(linkRate, linkBurst) })
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
