package workspace

import (
	"context"

	"github.com/shopspring/decimal"

	"darkroom/notifier/poll"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// service makes a client of the photo service, whose calls are counted as somebody's: people's calls
// come before the poller's, so each has its own limiter on one shared rate. observe hears of them, too; nil: nobody does.
func (s *Shared) service(limiter upstream.Limiter, who string, observe func(upstream.Call)) (*upstream.Client, error) {
	return s.ServiceOf(s.Config.Service(Claimed{limiter}), who, observe)
}

// ServiceOf makes one for a service that is configured elsewhere.
func (s *Shared) ServiceOf(c upstream.Config, who string, observe func(upstream.Call)) (*upstream.Client, error) {
	c.Wrap, c.Tracer = s.Failpoints.Service(), s.Tracer
	measure := s.Metrics.Service.Observer(who)
	c.Timeout, c.Observe = s.Waits.Service, func(call upstream.Call) {
		measure(call)
		if observe != nil {
			observe(call)
		}
	}
	return upstream.New(c)
}

// Claimed is a limiter that admits no call of a job whose claim has ended while it waited:
// somebody else may have done its work by then.
type Claimed struct{ upstream.Limiter }

// Wait waits for a turn, and returns [queue.ErrLostClaim] when it came too late.
func (l Claimed) Wait(ctx context.Context) error {
	if err := l.Limiter.Wait(ctx); err != nil {
		return err
	}
	return queue.Held(ctx)
}

// watched is a client of the photo service with somebody who hears of each balance that it reads.
type watched struct {
	*upstream.Client
	credits *poll.CreditWatch
}

// Balance reads the credits that the account has left.
func (w watched) Balance(ctx context.Context) (decimal.Decimal, error) {
	left, err := w.Client.Balance(ctx)
	if err == nil {
		w.credits.Observe(ctx, left)
	}
	return left, err
}
