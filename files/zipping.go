package files

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/jellydator/ttlcache/v3"
)

// mostImages bounds one ZIP. An order of ours has fifty images at most.
const mostImages = 500

// mostPauses is how many of the longest pauses the sources of one ZIP may fall behind their pace. After that the other
// images are not asked for.
const mostPauses = 5

// lookTime is how long it may take to learn what a ZIP is to hold.
const lookTime = 20 * time.Second

// zipping is one ZIP that is being made.
type zipping struct {
	*ZIPHandler
	bundle   Bundle
	delivery Delivery
	looked   time.Time // when it was asked what the ZIP is to hold
	out      *taker
	zip      *zip.Writer
	names    entryNames
	lacking  []string // lines of the list of what is missing
	sources  slowness // all of them together, waits for answers included
}

// look asks what the ZIP is to hold, unless somebody asked a moment ago.
func (z *zipping) look(ctx context.Context) error {
	if known := z.asked.Get(z.bundle); known != nil {
		return z.take(known.Value())
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	a := answered{at: time.Now()}
	var err error
	a.delivery, err = z.Deliveries.Delivery(ctx, z.bundle)
	if refused, no := errors.AsType[*Refusal](err); no {
		a.refused, err = refused, nil
	}
	if err != nil {
		return err
	}
	z.asked.Set(z.bundle, a, ttlcache.DefaultTTL)
	return z.take(a)
}

// take makes an answer what the ZIP is to hold.
func (z *zipping) take(a answered) error {
	if a.refused != nil {
		return a.refused
	}
	z.delivery, z.looked = a.delivery, a.at
	return nil
}

// run writes the ZIP. An image that cannot be had costs no other; the error is that of whoever takes the ZIP.
func (z *zipping) run(ctx context.Context, w http.ResponseWriter) error {
	z.out = &taker{w: w, control: http.NewResponseController(w), slow: slowness{pace: z.pace, idle: z.idle}}
	z.zip, z.names = zip.NewWriter(z.out), entryNames{}
	z.sources = slowness{pace: z.sourcePace, idle: mostPauses * z.idle, window: z.idle}
	images, missing := z.delivery.Images, z.delivery.Missing
	for _, image := range images[min(mostImages, len(images)):] {
		missing = append(missing, Missing{image.Name, "One ZIP holds no more images."})
	}
	for _, image := range images[:min(mostImages, len(images))] {
		if err := z.image(ctx, image); err != nil {
			return err
		}
	}
	for _, m := range missing {
		z.lack(m.Name, "not included. "+m.Why)
	}
	if err := z.list(len(images) + len(z.delivery.Missing)); err != nil {
		return err
	}
	if err := z.zip.Close(); err != nil {
		return fmt.Errorf("client: %w", err)
	}
	z.Log.InfoContext(ctx, "zip sent", "order", z.bundle.Order, "round", z.bundle.Round, "images", len(images), "lacking", len(z.lacking), "bytes", z.out.slow.bytes)
	return nil
}

// image puts one image into the ZIP, or on the list. One that does not come is asked for twice, the second
// time with a fresh address if its own is no longer that.
func (z *zipping) image(ctx context.Context, image Image) error {
	e := &zipEntry{zipping: z, image: image}
	err := e.fetch(ctx)
	if err != nil && e.name == "" && mayPass(err) && ctx.Err() == nil && !z.sources.over() {
		e.image = z.afresh(ctx, image)
		err = e.fetch(ctx)
	}
	switch {
	case z.out.err != nil:
		return fmt.Errorf("client: %w", z.out.err)
	case errors.Is(ctx.Err(), context.Canceled):
		return fmt.Errorf("client: %w", ctx.Err())
	case err == nil:
	case e.name == "":
		z.lack(image.Name, "not included. "+why(ctx, err))
	default:
		z.lack(e.name, fmt.Sprintf("incomplete, do not use it. After %.1f MB: %s", float64(e.bytes)/1e6, why(ctx, err)))
	}
	if err != nil {
		z.Log.WarnContext(ctx, "zip lacks an image", "order", z.bundle.Order, "image", image.ID, "bytes", e.bytes, "err", err)
	}
	return nil
}

// mayPass says that asking once more for an image may help.
func mayPass(err error) bool {
	return !slices.ContainsFunc([]error{ErrRefused, ErrTooLarge}, func(end error) bool { return errors.Is(err, end) })
}

// afresh is an image with an address that has not expired, if there is one.
func (z *zipping) afresh(ctx context.Context, image Image) Image {
	if began := time.Now(); began.Sub(z.looked) > z.stale {
		z.looked = began // also in vain
		defer func() { z.sources.took(0, time.Since(began)) }()
		if err := z.look(ctx); err != nil {
			z.Log.InfoContext(ctx, "zip has no fresh addresses", "order", z.bundle.Order, "err", err)
		}
	}
	i := slices.IndexFunc(z.delivery.Images, func(other Image) bool { return other.ID == image.ID && other.Name == image.Name })
	if i < 0 {
		return image
	}
	return z.delivery.Images[i]
}

// lack adds a line to the list.
func (z *zipping) lack(name, says string) {
	z.lacking = append(z.lacking, entryName(name)+": "+says)
}

// list adds the list of what is missing, if anything is.
func (z *zipping) list(all int) error {
	if len(z.lacking) == 0 {
		return nil
	}
	entry, err := z.zip.CreateHeader(&zip.FileHeader{Name: notIncluded, Method: zip.Store, Modified: time.Now()})
	if err == nil {
		_, err = fmt.Fprintf(entry, "%d of %d images are not in this ZIP, or not whole:\n\n%s\n\n"+
			"Nothing else is wrong with the others. Download it again later, or open these images by their links in Slack.\n",
			len(z.lacking), all, strings.Join(z.lacking, "\n"))
	}
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	return nil
}

// zipEntry is one image on its way into a ZIP.
type zipEntry struct {
	*zipping
	image Image
	name  string // in the ZIP; "": nothing of it is there
	bytes int64
}

// fetch gets the image and puts it into the ZIP while it arrives. A source that pauses too long, or sends too slowly, loses
// its context; while the other side takes a piece, its clock stands.
func (e *zipEntry) fetch(ctx context.Context) error {
	if e.sources.over() {
		return errTooSlow
	}
	defer e.spent(time.Now(), e.out.slow.waited)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(e.idle, func() { cancel(errPaused) })
	defer watch.Stop()
	err := e.Fetcher.Stream(ctx, e.image.URL, func(p Picture) (int64, error) { return e.arrive(p, watch) })
	if err != nil && errors.Is(context.Cause(ctx), errPaused) {
		return errPaused
	}
	return err
}

// spent counts the time since began for the sources, without the time that the reader took.
func (e *zipEntry) spent(began time.Time, readerBefore time.Duration) {
	e.sources.took(int(e.bytes), time.Since(began)-(e.out.slow.waited-readerBefore))
}

var (
	errPaused  = errors.New("paused too long")
	errTooSlow = errors.New("the images before were too slow")
)

// arrive puts a picture into the ZIP that begins to arrive.
func (e *zipEntry) arrive(p Picture, watch *time.Timer) (int64, error) {
	watch.Stop()
	e.name = e.names.take(e.image.Name, p.Type)
	entry, err := e.zip.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Store, Modified: e.image.Modified})
	if err == nil {
		err = e.pass(entry, p.Body, watch)
	}
	return e.bytes, err
}

// pass hands the image on in pieces.
func (e *zipEntry) pass(entry io.Writer, body io.Reader, watch *time.Timer) error {
	buf := make([]byte, 64<<10)
	source := slowness{pace: e.sourcePace, idle: e.idle, window: e.idle}
	for {
		began := time.Now()
		watch.Reset(source.deadline(began).Sub(began))
		n, readErr := body.Read(buf)
		watch.Stop()
		source.took(n, time.Since(began))
		if n > 0 {
			if _, err := entry.Write(buf[:n]); err != nil {
				return err
			}
			e.bytes += int64(n)
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

// why says in a sentence why an image could not be had.
func why(ctx context.Context, err error) string {
	status, answered := errors.AsType[statusError](err)
	switch {
	case ctx.Err() != nil:
		return "The whole download took too long."
	case errors.Is(err, ErrGone):
		return "The photo service no longer has it at the address that it gave."
	case errors.Is(err, ErrNotPicture), errors.Is(err, ErrEmpty):
		return "What came from its address is not a picture."
	case errors.Is(err, ErrTooLarge):
		return fmt.Sprintf("It is larger than %d MB.", MaxSize>>20)
	case errors.Is(err, ErrRefused):
		return "Darkroom does not open the address that the photo service gave for it."
	case answered:
		return fmt.Sprintf("The photo service did not give it out (status %d).", int(status))
	case errors.Is(err, errPaused):
		return "The photo service stopped sending it, or sent it too slowly."
	case errors.Is(err, errTooSlow):
		return "The photo service sent the images before it too slowly."
	}
	return "The connection to the photo service broke."
}

// taker is whoever takes a ZIP: each piece must be taken in time.
type taker struct {
	w       io.Writer
	control *http.ResponseController
	slow    slowness
	err     error // the first one: it takes nothing more
}

// Write implements [io.Writer].
func (t *taker) Write(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	began := time.Now()
	if err := t.control.SetWriteDeadline(t.slow.deadline(began)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		t.err = fmt.Errorf("write deadline: %w", err)
		return 0, t.err
	}
	n, err := t.w.Write(p)
	t.slow.took(n, time.Since(began))
	t.err = err
	return n, err
}
