package review

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
)

var (
	errMethod = errors.New("method not allowed")
	errOver   = errors.New("review is over")
	errOften  = errors.New("too many requests for this review")
	errBusy   = errors.New("too many requests at once")
)

// Orders reads an order and its events, oldest first, in one call. The error is [store.ErrNotTracked], or another one that
// may pass.
type Orders interface {
	WithEvents(ctx context.Context, id string) (store.Tracked, []order.Event, error)
}

// Workspace has the orders and the pins of a workspace.
type Workspace struct {
	Orders Orders
	Pins   Pins
}

// Config is what a [Handler] needs. All fields are required.
type Config struct {
	Signer *files.Signer
	// Of returns a workspace; "" in an app for one. The error is [store.ErrNotTracked] for one that has removed the app, or
	// another one that may pass.
	Of  func(ctx context.Context, workspace string) (Workspace, error)
	Log *slog.Logger
	Now func() time.Time
}

// Handler answers [Path].
type Handler struct {
	Config
	limits *limits // of pages
	saves  *limits // of pins
}

// NewHandler returns a handler.
func NewHandler(c Config) *Handler { return &Handler{c, newLimits(), newLimits()} }

// ServeHTTP answers GET and HEAD of /review/{token}, and of the page's script and style, and POST of a pin. It ignores a path
// in front of /review/.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	_, token, _ := strings.Cut(r.URL.Path, Path)
	file, isFile := pageFiles[token]
	switch {
	case r.Method == http.MethodPost && !isFile:
		h.savePin(w, r, token)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD, POST")
		h.refuse(w, link{}, errMethod)
	case isFile:
		file.serve(w, r.URL.Query().Get("v") == pageVersion)
	default:
		h.servePage(w, r, token)
	}
}

func (h *Handler) servePage(w http.ResponseWriter, r *http.Request, token string) {
	at, err := verify(h.Signer, token, h.Now())
	if err != nil {
		h.refuse(w, at, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTime)
	defer cancel()
	p, err := h.read(ctx, at)
	switch {
	case r.Context().Err() != nil: // the browser has gone
	case err != nil:
		h.refuse(w, at, err)
	default:
		w.Header().Set("Content-Security-Policy", p.policy())
		show(w, http.StatusOK, p.html())
	}
}

// read returns the page of a round.
func (h *Handler) read(ctx context.Context, at link) (*page, error) {
	leave, err := h.limits.enter(ctx, at)
	if err != nil {
		return nil, err
	}
	defer leave()
	its, t, events, err := h.orderOf(ctx, at)
	if err != nil {
		return nil, err
	}
	p := h.pageOf(t, events, at.Workspace)
	if at.marking != nil {
		pins, err := its.Pins.Draft(ctx, t, *at.marking)
		if err != nil {
			return nil, err
		}
		p.marks = marksOf(pins)
	}
	return p, nil
}

// orderOf reads the order of a link, while its round waits for a decision in the channel of the link.
func (h *Handler) orderOf(ctx context.Context, at link) (its Workspace, t store.Tracked, events []order.Event, err error) {
	its, err = h.Of(ctx, at.Workspace)
	if err == nil {
		t, events, err = its.Orders.WithEvents(ctx, at.Order)
	}
	over := t.Untracked || t.Owner.Generation != at.Generation || t.Order.Rev() != at.Round || !t.Can(order.VerbApprove)
	if errors.Is(err, store.ErrNotTracked) || err == nil && over {
		err = errOver
	}
	return its, t, events, err
}

// refusal is a plain page.
type refusal struct {
	status     int
	title, how string
}

const tryLater = "Nothing is lost. Reload this page in a minute."

// Over is the title of the answer to a link that shows nothing.
const Over = "This link no longer works"

// over answers whatever is wrong with a link, so that nobody learns from it what there is.
var over = refusal{http.StatusNotFound, Over, "The review may be over, or its order in another channel. A link works for 14 days at most. " +
	"Nothing is lost. In Slack, open the order's newest review and press Compare. To mark on the pictures, press Request Changes there. For an older round, type /order show with the order code."}

func refusalOf(err error) refusal {
	switch {
	case errors.Is(err, files.ErrForged), errors.Is(err, files.ErrExpired), errors.Is(err, errOver), errors.Is(err, store.ErrMayNotPin), errors.Is(err, store.ErrPinsSent):
		return over
	case errors.Is(err, errMethod):
		return refusal{http.StatusMethodNotAllowed, "This page can only be read", "Open its link in a browser."}
	case errors.Is(err, errOften):
		return refusal{http.StatusTooManyRequests, "Too many people look at this review right now", tryLater}
	case errors.Is(err, errBusy):
		return refusal{http.StatusServiceUnavailable, "Too many people look at photos right now", tryLater}
	}
	return refusal{http.StatusServiceUnavailable, "I cannot read this order right now", tryLater}
}

// refuse answers with a plain page. It logs what nobody can cause at will, and never a token.
func (h *Handler) refuse(w http.ResponseWriter, at link, err error) {
	r := refusalOf(err)
	if r.status >= http.StatusInternalServerError && !errors.Is(err, errBusy) {
		h.Log.Warn("review not shown", "order", at.Order, "err", err)
	}
	if r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "30")
	}
	show(w, r.status, plain(r.title, r.how))
}
