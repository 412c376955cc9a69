package workspace

import (
	"context"

	"github.com/shopspring/decimal"

	"darkroom/notifier/poll"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// service makes a client of the configured photo service. who labels its calls in the metrics. People's calls
// come before the poller's, so each has its own limiter on the shared rate. observe gets each call; it may be nil.
func (s *Shared) service(limiter upstream.Limiter, who string, observe func(upstream.Call)) (*upstream.Client, error) {
	return s.ServiceOf(s.Config.Service(Claimed{limiter}), who, observe)
}

// ServiceOf is service for the given configuration.
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

// Claimed is a limiter that refuses a job's call if its claim ended while it waited:
// another replica may have done its work by then.
type Claimed struct{ upstream.Limiter }

// Wait waits for a turn. It returns [queue.ErrLostClaim] if the job lost its claim.
func (l Claimed) Wait(ctx context.Context) error {
	if err := l.Limiter.Wait(ctx); err != nil {
		return err
	}
	return queue.Held(ctx)
}

// watched is a client of the photo service that passes each balance to the credit watch.
type watched struct {
	*upstream.Client
	credits *poll.CreditWatch
}

// Balance returns the account's remaining credits.
func (w watched) Balance(ctx context.Context) (decimal.Decimal, error) {
	left, err := w.Client.Balance(ctx)
	if err == nil {
		w.credits.Observe(ctx, left)
	}
	return left, err
}
