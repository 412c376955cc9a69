package files

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/jellydator/ttlcache/v3"
)

// Deliveries tells what a ZIP is to hold. The addresses that it gives are fresh ones, since those of a photo
// service expire. The error is a [*Refusal], or anything else for "later".
type Deliveries interface {
	Delivery(ctx context.Context, b Bundle) (Delivery, error)
}

// Offers tells as well whether there is such a ZIP as far as the record says: the service is not asked. The errors are
// those of [Deliveries].
type Offers interface {
	Deliveries
	Offered(ctx context.Context, b Bundle) error
}

// Delivery is what one ZIP is to hold.
type Delivery struct {
	Images  []Image
	Missing []Missing // what it should hold and cannot
}

// Image is one picture of a [Delivery].
type Image struct {
	ID       string // the same image has the same
	Name     string // any
	URL      string
	Modified time.Time // zero: not known
}

// Missing is a picture that a ZIP lacks.
type Missing struct {
	Name string
	Why  string // a sentence
}

// A Refusal says in a sentence why there is no ZIP, and that another try will not help.
type Refusal struct{ Says string }

// Error is the sentence.
func (r *Refusal) Error() string { return r.Says }

// ZIPConfig is what a [ZIPHandler] works with; all of it is required.
type ZIPConfig struct {
	Signer     *Signer
	Deliveries Offers
	Fetcher    *Fetcher // its MaxBytes bounds each image, and its Timeout is [ZIPTime] or more
	Log        *slog.Logger
}

// ZIPTime is how long one ZIP may take.
const ZIPTime = time.Hour

// ZIPHandler answers [ZIPPath] with the images of a delivery as a ZIP, which it makes while they arrive: nothing is
// held but one piece of one image.
type ZIPHandler struct {
	ZIPConfig

	places     *places
	patience   time.Duration // how long one more waits for a place
	idle       time.Duration // the longest pause, on either side
	pace       int64         // bytes a second that a reader takes at least, on average
	sourcePace int64         // and that a source sends, and all of them together
	overall    time.Duration // the longest ZIP
	stale      time.Duration // when an image's address is asked for again before it is given up

	asked *ttlcache.Cache[Bundle, answered] // what the service was asked a moment ago
}

// answered is what a ZIP is to hold, or why there is none.
type answered struct {
	delivery Delivery
	refused  *Refusal
	at       time.Time
}

const (
	keptAnswer  = 10 * time.Second // as long as an answer counts
	keptAnswers = 16
)

// NewZIPHandler makes one. Sixteen ZIPs are on their way at once, four of them of one of many workspaces, two of one order
// with four more that wait for it. Each replica has these bounds.
func NewZIPHandler(c ZIPConfig) *ZIPHandler {
	return &ZIPHandler{
		ZIPConfig: c, places: newPlaces(16, 4, 2, 4), patience: 10 * time.Second,
		idle: 30 * time.Second, pace: 16 << 10, sourcePace: 64 << 10, overall: ZIPTime, stale: time.Minute,
		asked: ttlcache.New(
			ttlcache.WithTTL[Bundle, answered](keptAnswer), ttlcache.WithCapacity[Bundle, answered](keptAnswers),
			ttlcache.WithDisableTouchOnHit[Bundle, answered](),
		),
	}
}

// ServeHTTP answers GET and HEAD of /files/zip/{token}/{name}. A path in front of it is passed over.
func (h *ZIPHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, rest, _ := strings.Cut(r.URL.Path, ZIPPath)
	token, name, _ := strings.Cut(rest, "/")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		h.refuse(w, "", errMethod)
		return
	}
	b, err := h.Signer.VerifyZIP(token, time.Now())
	if err != nil {
		h.refuse(w, "", err)
		return
	}
	if err := h.serve(w, r, b, name); err != nil && r.Context().Err() == nil {
		h.refuse(w, b.Order, err)
	}
}

// serve returns an error only while nothing has been answered yet.
func (h *ZIPHandler) serve(w http.ResponseWriter, r *http.Request, b Bundle, name string) error {
	ctx, cancel := context.WithTimeout(r.Context(), h.overall)
	defer cancel()
	leave, err := h.places.enter(ctx, place{b.Workspace, b.Order}, h.patience)
	if err != nil {
		return err
	}
	defer leave()
	if err := h.Deliveries.Offered(ctx, b); err != nil {
		return err
	}
	z := &zipping{ZIPHandler: h, bundle: b}
	if r.Method == http.MethodHead {
		describeZIP(w.Header(), name)
		return nil
	}
	if err := z.look(ctx); err != nil {
		return err
	}
	describeZIP(w.Header(), name)
	w.WriteHeader(http.StatusOK)
	if err := z.run(ctx, w); err != nil {
		h.Log.InfoContext(ctx, "zip broken off", "order", b.Order, "err", err)
		// What went out is only a part: the connection must not end as if it were all.
		panic(http.ErrAbortHandler)
	}
	return nil
}

func describeZIP(h http.Header, name string) {
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", attachment(zipName(name)))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", "private, no-store, no-transform")
}

// zipRefusals is what an error looks like from outside.
var zipRefusals = []refusal{
	{errMethod, http.StatusMethodNotAllowed, "Only GET and HEAD work here."},
	{ErrForged, http.StatusForbidden, "This address was not made by Darkroom."},
	{ErrExpired, http.StatusGone, "This link has expired. The images are still there: in Slack, type /order show with the order's reference, and press Download all for a new link."},
	{errBusy, http.StatusServiceUnavailable, "Many downloads are on their way just now. Nothing is lost: try again in a few minutes."},
	{errFileBusy, http.StatusServiceUnavailable, "This order is being downloaded by others just now. Nothing is lost: try again in a few minutes."},
}

const zipLater = "The photo service cannot be asked for the images just now. Nothing is lost: try again in a few minutes."

func (h *ZIPHandler) refuse(w http.ResponseWriter, order string, err error) {
	refused, no := errors.AsType[*Refusal](err)
	status, says := http.StatusBadGateway, zipLater
	if no {
		status, says = http.StatusGone, refused.Says
	}
	status, says = answerTo(zipRefusals, err, status, says)
	if status >= http.StatusInternalServerError && !errors.Is(err, errFileBusy) { // those, whoever holds an address may make as many of as they like
		h.Log.Warn("zip not served", "order", order, "err", err)
	}
	sayRefused(w, status, says)
}
