package main

import (
	"context"

	"github.com/shopspring/decimal"

	"darkroom/notifier/poll"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// newService makes a client of the photo service, whose calls are counted as somebody's: people's calls
// come before the poller's, so each has its own limiter on one shared rate. observe hears of them, too; nil: nobody does.
func (a *app) newService(limiter upstream.Limiter, who string, observe func(upstream.Call)) (*upstream.Client, error) {
	return a.newServiceOf(a.cfg.Service(claimed{limiter}), who, observe)
}

// newServiceOf is newService for a service that is configured elsewhere.
func (a *app) newServiceOf(c upstream.Config, who string, observe func(upstream.Call)) (*upstream.Client, error) {
	c.Wrap, c.Tracer = a.failpoints.Service(), a.traces.tracer()
	measure := a.metrics.Service.Observer(who)
	c.Timeout, c.Observe = a.waits.service, func(call upstream.Call) {
		measure(call)
		if observe != nil {
			observe(call)
		}
	}
	return upstream.New(c)
}

// claimed is a limiter that admits no call of a job whose claim has ended while it waited:
// somebody else may have done its work by then.
type claimed struct{ upstream.Limiter }

// Wait waits for a turn, and returns [queue.ErrLostClaim] when it came too late.
func (l claimed) Wait(ctx context.Context) error {
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
