package bot

import (
	"context"
	"errors"

	"golang.org/x/sync/semaphore"
)

// ErrNotOurs is the error of a request from a workspace without the app: the app was removed, or its token
// was lost.
var ErrNotOurs = errors.New("the app is not in that workspace")

// Dispatch makes r the front router of many workspaces. A request without a handler in r goes to the
// router that owner returns, within the same deadline. For [ErrNotOurs] nothing is done, and
// [Router.NotOurs] gives the answer. Logs and traces take route names from fallback, since all workspace
// routers have the same routes. Set it before the first request.
func (r *Router) Dispatch(owner func(ctx context.Context, q Request) (*Router, error), fallback *Router) {
	r.owner, r.fallback = owner, fallback
}

// NotOurs sets the answer to commands and forms from a workspace without the app. Without it they get an
// empty reply. Set it before the first request.
func (r *Router) NotOurs(answer func(q Request) Reply) { r.notOurs = answer }

// LimitHandlers sets how many handlers of r run at once; the default is the process's bound. A router behind a
// front router is so limited to its share. A request over the bound is answered as busy. Set it before the
// first request.
func (r *Router) LimitHandlers(n int64) { r.maxSlots, r.slots = n, semaphore.NewWeighted(n) }

// dispatched answers a request with the router of its workspace.
func (r *Router) dispatched(ctx context.Context, q Request) (Reply, error) {
	router, err := r.owner(ctx, q)
	if errors.Is(err, ErrNotOurs) {
		r.log.DebugContext(ctx, "a request of a workspace that the app is not in", "kind", q.Kind, "name", q.Name, "team", q.Team)
		if r.notOurs == nil || q.Kind != KindCommand && q.Kind != KindSubmit {
			return emptyReply(q.Kind), nil
		}
		return r.notOurs(q), nil
	}
	if err != nil {
		return Reply{}, err
	}
	if reply, ok, err := router.answerInstantly(ctx, q); ok || err != nil {
		return reply, err
	}
	_, h := router.find(q)
	if h == nil {
		return router.unhandled(ctx, q)
	}
	if !router.slots.TryAcquire(1) {
		return Reply{}, errBusy
	}
	defer router.slots.Release(1)
	return h(ctx, q)
}
