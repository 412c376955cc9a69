package bot

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const maxPaced = 2048 // channels remembered

// pace spaces the posts to each channel: Slack takes about one a second.
type pace struct {
	mu       sync.Mutex
	every    rate.Limit
	channels map[string]*rate.Limiter
}

func newPace(perSecond float64) *pace {
	if perSecond <= 0 {
		perSecond = 1
	}
	return &pace{every: rate.Limit(perSecond), channels: map[string]*rate.Limiter{}}
}

// wait returns when the next post to channel may go out. It fails at once when ctx
// ends before that.
func (p *pace) wait(ctx context.Context, channel string) error {
	if err := p.of(channel).Wait(ctx); err != nil {
		interval := time.Duration(float64(time.Second) / float64(p.every))
		return &Error{Method: "chat.postMessage", RetryAfter: interval, class: []error{ErrTryLater}, cause: err}
	}
	return nil
}

func (p *pace) of(channel string) *rate.Limiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	limiter, ok := p.channels[channel]
	if !ok {
		p.makeRoom()
		limiter = rate.NewLimiter(p.every, 1)
		p.channels[channel] = limiter
	}
	return limiter
}

// makeRoom forgets channels at rest, which are no different from new ones, and when
// that is not enough any one, until a quarter is free.
func (p *pace) makeRoom() {
	if len(p.channels) < maxPaced {
		return
	}
	for channel, limiter := range p.channels {
		if limiter.Tokens() >= 1 {
			delete(p.channels, channel)
		}
	}
	for channel := range p.channels {
		if len(p.channels) <= maxPaced*3/4 {
			return
		}
		delete(p.channels, channel)
	}
}
