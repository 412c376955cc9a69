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

// Deliveries finds the images for a ZIP. Their addresses are fresh, since those of a photo service expire. The
// error is a [*Refusal], or another one that may pass.
type Deliveries interface {
	Delivery(ctx context.Context, b Bundle) (Delivery, error)
}

// Offers also checks by the record whether a ZIP is offered, without asking the service. The errors are those of
// [Deliveries].
type Offers interface {
	Deliveries
	Offered(ctx context.Context, b Bundle) error
}

// Delivery has the images for one ZIP.
type Delivery struct {
	Images  []Image
	Missing []Missing // images that cannot be included
}

// Image is one picture of a [Delivery].
type Image struct {
	ID       string // stable for an image
	Name     string // may be unsafe as a file name
	URL      string
	Modified time.Time // zero: unknown
}

// Missing is a picture that is not in the ZIP.
type Missing struct {
	Name string
	Why  string // a sentence
}

// A Refusal says in a sentence why there is no ZIP. Another try does not help.
type Refusal struct{ Message string }

// Error returns the sentence.
func (r *Refusal) Error() string { return r.Message }

// ZIPConfig is what a [ZIPHandler] needs. All fields are required.
type ZIPConfig struct {
	Signer     *Signer
	Deliveries Offers
	Fetcher    *Fetcher // its MaxBytes bounds each image, and its Timeout is [ZIPTime] or more
	Log        *slog.Logger
}

// ZIPTime bounds the time for one ZIP.
const ZIPTime = time.Hour

// ZIPHandler answers [ZIPPath] with the images of a delivery as a ZIP. It writes the ZIP while they arrive and holds
// only one piece of one image in memory.
type ZIPHandler struct {
	ZIPConfig

	limits     *streamLimits
	maxWait    time.Duration // for a slot
	idle       time.Duration // the longest pause, on either side
	pace       int64         // the least bytes a second that a reader takes, on average
	sourcePace int64         // the same for a source, and for all sources together
	overall    time.Duration // the longest ZIP
	stale      time.Duration // the age of an image's address at which it is asked for again, before the image is given up

	answers *ttlcache.Cache[Bundle, deliveryAnswer] // recent answers of the service
}

// deliveryAnswer is a delivery, or the reason why it cannot be had.
type deliveryAnswer struct {
	delivery Delivery
	refused  *Refusal
	at       time.Time
}

const (
	answerTTL  = 10 * time.Second
	maxAnswers = 16
)

// NewZIPHandler returns a handler. Each replica allows sixteen ZIPs at once, four of one workspace (if there are many),
// and two of one order. Four more may wait for an order.
func NewZIPHandler(c ZIPConfig) *ZIPHandler {
	return &ZIPHandler{
		ZIPConfig: c, limits: newStreamLimits(16, 4, 2, 4), maxWait: 10 * time.Second,
		idle: 30 * time.Second, pace: 16 << 10, sourcePace: 64 << 10, overall: ZIPTime, stale: time.Minute,
		answers: ttlcache.New(
			ttlcache.WithTTL[Bundle, deliveryAnswer](answerTTL), ttlcache.WithCapacity[Bundle, deliveryAnswer](maxAnswers),
			ttlcache.WithDisableTouchOnHit[Bundle, deliveryAnswer](),
		),
	}
}

// ServeHTTP answers GET and HEAD of /files/zip/{token}/{name}. It ignores a path in front of /files/.
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

// serve returns an error only before it has answered anything.
func (h *ZIPHandler) serve(w http.ResponseWriter, r *http.Request, b Bundle, name string) error {
	ctx, cancel := context.WithTimeout(r.Context(), h.overall)
	defer cancel()
	leave, err := h.limits.acquire(ctx, streamKey{b.Workspace, b.Order}, h.maxWait)
	if err != nil {
		return err
	}
	defer leave()
	if err := h.Deliveries.Offered(ctx, b); err != nil {
		return err
	}
	z := &zipRun{ZIPHandler: h, bundle: b}
	if r.Method == http.MethodHead {
		describeZIP(w.Header(), name)
		return nil
	}
	if err := z.loadDelivery(ctx); err != nil {
		return err
	}
	describeZIP(w.Header(), name)
	w.WriteHeader(http.StatusOK)
	if err := z.run(ctx, w); err != nil {
		h.Log.InfoContext(ctx, "zip broken off", "order", b.Order, "err", err)
		// Only a part was sent: the connection must not end as if it were complete.
		panic(http.ErrAbortHandler)
	}
	return nil
}

func describeZIP(h http.Header, name string) {
	setDownloadHeaders(h, "application/zip", attachmentDisposition(zipName(name)), "private, no-store, no-transform")
}

// zipRefusals maps errors to answers.
var zipRefusals = []refusal{
	{errMethod, http.StatusMethodNotAllowed, "Only GET and HEAD work here."},
	{ErrForged, http.StatusForbidden, "This link is not from Darkroom."},
	{ErrExpired, http.StatusGone, "This link has expired. The photos are still there. In Slack, type /order show with the order code, and press Download All for a new link."},
	{errBusy, http.StatusServiceUnavailable, "There are too many downloads right now. Nothing is lost. Try again in a few minutes."},
	{errFileBusy, http.StatusServiceUnavailable, "Others are downloading this order right now. Nothing is lost. Try again in a few minutes."},
}

const zipLater = "I cannot get the photos from the photo service right now. Nothing is lost. Try again in a few minutes."

func (h *ZIPHandler) refuse(w http.ResponseWriter, order string, err error) {
	refused, no := errors.AsType[*Refusal](err)
	status, message := http.StatusBadGateway, zipLater
	if no {
		status, message = http.StatusGone, refused.Message
	}
	status, message = refusalFor(zipRefusals, err, status, message)
	if status >= http.StatusInternalServerError && !errors.Is(err, errFileBusy) { // anyone with an address can cause any number of errFileBusy
		h.Log.Warn("zip not served", "order", order, "err", err)
	}
	writeRefusal(w, status, message)
}
