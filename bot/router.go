package bot

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/semaphore"
)

// HandlerFunc answers a request on the ack path: ctx ends after 2.5 s, and what is
// returned later reaches nobody. Work that may take longer belongs in a job.
type HandlerFunc func(ctx context.Context, r Request) (Reply, error)

// InstantFunc answers a command from what it has in memory: it asks nobody and waits for nothing.
// It is false for a command that needs more than that; its handler gets it then.
type InstantFunc func(r Request) (reply Reply, ok bool)

const (
	ackDeadline = 2500 * time.Millisecond // Slack waits 3 s
	maxHandlers = 256                     // handlers running, late ones included
)

// Router finds the handler of a request and answers in time whatever it does. All
// handlers are registered before the first request; a name registered twice panics.
type Router struct {
	log     *slog.Logger
	routes  map[Kind]map[string]HandlerFunc
	instant map[string]InstantFunc // by command
	places  int64                  // for handlers running at once
	slots   *semaphore.Weighted    // one of the places taken by each of them
	tell    func(ctx context.Context, q Request, sentence string)
	observe func(Answered)
	tracer  trace.Tracer                                          // nil: no request has a span
	whose   func(ctx context.Context, q Request) (*Router, error) // see [Router.Dispatch]
	like    *Router
	notOurs func(q Request) Reply // nil: whoever it is reads nothing
}

// NewRouter makes a Router without handlers; log may be nil.
func NewRouter(log *slog.Logger) *Router {
	return &Router{
		log: logger(log), routes: map[Kind]map[string]HandlerFunc{}, instant: map[string]InstantFunc{}, places: maxHandlers, slots: semaphore.NewWeighted(maxHandlers),
	}
}

// Unconfirmed sets what tells the person whose button or shortcut could not be taken: Slack
// shows no answer to those. tell runs after the empty 200, for at most ten seconds.
func (r *Router) Unconfirmed(tell func(ctx context.Context, q Request, sentence string)) {
	r.tell = tell
}

// Command registers h for a slash command, name with its slash.
func (r *Router) Command(name string, h HandlerFunc) { r.add(KindCommand, name, h) }

// Instant lets answer see the lines of a slash command before their handler does, in the goroutine
// that heard them: there is no deadline, no place to be had, and nobody to hand them to. A panic
// costs what it costs anywhere.
func (r *Router) Instant(name string, answer InstantFunc) {
	if r.instant[name] != nil {
		panic("bot: two instant answers for " + name)
	}
	r.instant[name] = answer
}

// Action registers h for an action_id, exact or a prefix ending in "*". Here and
// below the exact name wins, then the longest prefix.
func (r *Router) Action(id string, h HandlerFunc) { r.add(KindAction, id, h) }

// Submit registers h for submitted modals of a callback_id, exact or a prefix.
func (r *Router) Submit(callback string, h HandlerFunc) { r.add(KindSubmit, callback, h) }

// Close registers h for closed modals of a callback_id, exact or a prefix.
func (r *Router) Close(callback string, h HandlerFunc) { r.add(KindClose, callback, h) }

// Shortcut registers h for a global or message shortcut's callback_id, exact or a prefix.
func (r *Router) Shortcut(callback string, h HandlerFunc) { r.add(KindShortcut, callback, h) }

// Options registers h for an external select's action_id, exact or a prefix.
func (r *Router) Options(action string, h HandlerFunc) { r.add(KindOptions, action, h) }

// Event registers h for a type of event, exact or a prefix.
func (r *Router) Event(kind string, h HandlerFunc) { r.add(KindEvent, kind, h) }

func (r *Router) add(kind Kind, name string, h HandlerFunc) {
	if r.routes[kind] == nil {
		r.routes[kind] = map[string]HandlerFunc{}
	}
	if _, taken := r.routes[kind][name]; taken {
		panic("bot: two handlers for " + name)
	}
	r.routes[kind][name] = h
}

// Routes are the names that have handlers, by kind, as they were registered and sorted.
func (r *Router) Routes() map[Kind][]string {
	all := map[Kind][]string{}
	for kind, table := range r.routes {
		all[kind] = slices.Sorted(maps.Keys(table))
	}
	return all
}

// Wait returns when no handler runs any more, late ones included, or with ctx's
// error. Meanwhile a new request may be told that there is no room: call it after the
// last one.
func (r *Router) Wait(ctx context.Context) error {
	if err := r.slots.Acquire(ctx, r.places); err != nil {
		return err
	}
	r.slots.Release(r.places)
	return nil
}

// find finds the handler for a name, and what it is registered for: the exact one, else that of the longest
// prefix.
func (r *Router) find(q Request) (name string, h HandlerFunc) {
	handlers := r.routes[q.Kind]
	if h, ok := handlers[q.Name]; ok {
		return q.Name, h
	}
	best := ""
	for name := range handlers {
		prefix, open := strings.CutSuffix(name, "*")
		if open && len(name) > len(best) && strings.HasPrefix(q.Name, prefix) {
			best = name
		}
	}
	return best, handlers[best]
}

func logger(log *slog.Logger) *slog.Logger { return cmp.Or(log, slog.New(slog.DiscardHandler)) }
