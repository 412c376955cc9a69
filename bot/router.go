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

// HandlerFunc answers a request. ctx ends after 2.5 s, and a later result is dropped. Work that may take
// longer belongs in a job.
type HandlerFunc func(ctx context.Context, r Request) (Reply, error)

// InstantFunc answers a command from memory, without waiting. It returns false if the command needs its
// handler.
type InstantFunc func(r Request) (reply Reply, ok bool)

const (
	ackDeadline = 2500 * time.Millisecond // Slack waits 3 s
	maxHandlers = 256                     // running handlers, including late ones
)

// Router finds the handler of a request and answers in time, even if the handler is late. All handlers are
// registered before the first request; registering a name twice panics.
type Router struct {
	log      *slog.Logger
	routes   map[Kind]map[string]HandlerFunc
	instant  map[string]InstantFunc // by command
	maxSlots int64                  // how many handlers may run at once
	slots    *semaphore.Weighted    // one for each running handler
	notify   func(ctx context.Context, q Request, sentence string)
	observe  func(Answered)
	tracer   trace.Tracer                                          // nil: no spans
	owner    func(ctx context.Context, q Request) (*Router, error) // see [Router.Dispatch]
	fallback *Router
	notOurs  func(q Request) Reply // see [Router.NotOurs]; nil: an empty reply
}

// NewRouter returns a Router without handlers. log may be nil.
func NewRouter(log *slog.Logger) *Router {
	return &Router{
		log: logger(log), routes: map[Kind]map[string]HandlerFunc{}, instant: map[string]InstantFunc{}, maxSlots: maxHandlers, slots: semaphore.NewWeighted(maxHandlers),
	}
}

// Unconfirmed sets a function that notifies the person whose button or shortcut failed, since Slack shows
// no answer to those. It runs after the empty 200, for at most ten seconds.
func (r *Router) Unconfirmed(notify func(ctx context.Context, q Request, sentence string)) {
	r.notify = notify
}

// Command registers h for a slash command; name includes the slash.
func (r *Router) Command(name string, h HandlerFunc) { r.add(KindCommand, name, h) }

// Instant registers a function that sees a slash command before its handler. It runs in the receiving
// goroutine, without deadline or slot. A panic in it is answered like a handler's.
func (r *Router) Instant(name string, answer InstantFunc) {
	if r.instant[name] != nil {
		panic("bot: two instant answers for " + name)
	}
	r.instant[name] = answer
}

// Action registers h for an action_id: exact, or a prefix ending in "*". For this and the methods below,
// an exact name wins over prefixes, and a longer prefix over a shorter one.
func (r *Router) Action(id string, h HandlerFunc) { r.add(KindAction, id, h) }

// Submit registers h for submitted modals with a callback_id, exact or a prefix.
func (r *Router) Submit(callback string, h HandlerFunc) { r.add(KindSubmit, callback, h) }

// Close registers h for closed modals with a callback_id, exact or a prefix.
func (r *Router) Close(callback string, h HandlerFunc) { r.add(KindClose, callback, h) }

// Shortcut registers h for a global or message shortcut with a callback_id, exact or a prefix.
func (r *Router) Shortcut(callback string, h HandlerFunc) { r.add(KindShortcut, callback, h) }

// Options registers h for an external select with an action_id, exact or a prefix.
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

// Routes returns the registered names by kind, sorted.
func (r *Router) Routes() map[Kind][]string {
	all := map[Kind][]string{}
	for kind, table := range r.routes {
		all[kind] = slices.Sorted(maps.Keys(table))
	}
	return all
}

// Wait waits until no handler runs any more, including late ones; it returns ctx's error. Call it after
// the last request: meanwhile new requests are answered as busy.
func (r *Router) Wait(ctx context.Context) error {
	if err := r.slots.Acquire(ctx, r.maxSlots); err != nil {
		return err
	}
	r.slots.Release(r.maxSlots)
	return nil
}

// find returns the handler of a request and the name that it is registered for.
func (r *Router) find(q Request) (name string, h HandlerFunc) {
	handlers := r.routes[q.Kind]
	if h, ok := handlers[q.Name]; ok {
		return q.Name, h
	}
	match := ""
	for name := range handlers {
		prefix, open := strings.CutSuffix(name, "*")
		if open && len(name) > len(match) && strings.HasPrefix(q.Name, prefix) {
			match = name
		}
	}
	return match, handlers[match]
}

func logger(log *slog.Logger) *slog.Logger { return cmp.Or(log, slog.New(slog.DiscardHandler)) }
