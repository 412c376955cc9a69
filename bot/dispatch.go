package bot

import (
	"context"
	"errors"

	"golang.org/x/sync/semaphore"
)

// ErrNotOurs says that a request is of a workspace that the app is not in, or of none: it was removed, or its token was lost.
var ErrNotOurs = errors.New("the app is not in that workspace")

// Dispatch makes r the router in front of those of many workspaces: what it has no handler for goes to the one that
// whose names, within the same time. A request of nobody's, see [ErrNotOurs], does nothing and is answered with what
// [Router.NotOurs] says. Set it before the first request. Logs and traces call a request what like, which is one of
// them, calls its route: all have the same.
func (r *Router) Dispatch(whose func(ctx context.Context, q Request) (*Router, error), like *Router) {
	r.whose, r.like = whose, like
}

// NotOurs sets what somebody reads who uses the app in a workspace that it is not in; without it they read nothing. Set it
// before the first request.
func (r *Router) NotOurs(answer func(q Request) Reply) { r.notOurs = answer }

// Places bounds how many handlers of r run at once; without it they are as many as a process has. A router behind
// another one keeps so to its share: to what comes above it the answer is that of an app that is busy. Set it before the
// first request.
func (r *Router) Places(n int64) { r.places, r.slots = n, semaphore.NewWeighted(n) }

// dispatched answers a request with the router of its workspace.
func (r *Router) dispatched(ctx context.Context, q Request) (Reply, error) {
	its, err := r.whose(ctx, q)
	if errors.Is(err, ErrNotOurs) {
		r.log.DebugContext(ctx, "a request of a workspace that the app is not in", "kind", q.Kind, "name", q.Name, "team", q.Team)
		if r.notOurs == nil || q.Kind != KindCommand && q.Kind != KindSubmit {
			return nothing(q.Kind), nil
		}
		return r.notOurs(q), nil
	}
	if err != nil {
		return Reply{}, err
	}
	if reply, is, err := its.atOnce(ctx, q); is || err != nil {
		return reply, err
	}
	_, h := its.find(q)
	if h == nil {
		return its.nobody(ctx, q)
	}
	if !its.slots.TryAcquire(1) {
		return Reply{}, errBusy
	}
	defer its.slots.Release(1)
	return h(ctx, q)
}
