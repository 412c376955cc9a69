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

// maxZIPImages bounds one ZIP. An order of the app has fifty images at most.
const maxZIPImages = 500

// maxPauses is how far all sources of one ZIP may fall behind their pace, in longest pauses. After that the ZIP omits
// the other images.
const maxPauses = 5

// deliveryTimeout bounds the request for a delivery.
const deliveryTimeout = 20 * time.Second

// zipRun makes one ZIP.
type zipRun struct {
	*ZIPHandler
	bundle   Bundle
	delivery Delivery
	askedAt  time.Time // when the delivery was asked for
	out      *clientWriter
	zip      *zip.Writer
	names    entryNames
	missing  []string  // lines of the list of missing images
	sources  paceMeter // all together, including waits for answers
}

// loadDelivery asks for the delivery, unless there is a recent answer.
func (z *zipRun) loadDelivery(ctx context.Context) error {
	if known := z.answers.Get(z.bundle); known != nil {
		return z.use(known.Value())
	}
	ctx, cancel := context.WithTimeout(ctx, deliveryTimeout)
	defer cancel()
	a := deliveryAnswer{at: time.Now()}
	var err error
	a.delivery, err = z.Deliveries.Delivery(ctx, z.bundle)
	if refused, no := errors.AsType[*Refusal](err); no {
		a.refused, err = refused, nil
	}
	if err != nil {
		return err
	}
	z.answers.Set(z.bundle, a, ttlcache.DefaultTTL)
	return z.use(a)
}

// use takes the delivery from an answer.
func (z *zipRun) use(a deliveryAnswer) error {
	if a.refused != nil {
		return a.refused
	}
	z.delivery, z.askedAt = a.delivery, a.at
	return nil
}

// run writes the ZIP. A missing image does not stop it: the error is always the client's.
func (z *zipRun) run(ctx context.Context, w http.ResponseWriter) error {
	z.out = newClientWriter(w, z.pace, z.idle)
	z.zip, z.names = zip.NewWriter(z.out), entryNames{}
	z.sources = paceMeter{pace: z.sourcePace, idle: maxPauses * z.idle, window: z.idle}
	images, left := z.delivery.Images, z.delivery.Missing
	for _, image := range images[min(maxZIPImages, len(images)):] {
		left = append(left, Missing{image.Name, "One ZIP holds no more photos."})
	}
	for _, image := range images[:min(maxZIPImages, len(images))] {
		if err := z.addImage(ctx, image); err != nil {
			return err
		}
	}
	for _, m := range left {
		z.addMissing(m.Name, "not included. "+m.Why)
	}
	if err := z.writeMissing(len(images) + len(z.delivery.Missing)); err != nil {
		return err
	}
	if err := z.zip.Close(); err != nil {
		return fmt.Errorf("client: %w", err)
	}
	z.Log.InfoContext(ctx, "zip sent", "order", z.bundle.Order, "round", z.bundle.Round, "images", len(images), "lacking", len(z.missing), "bytes", z.out.meter.bytes)
	return nil
}

// addImage puts one image into the ZIP, or on the list. A fetch that fails is repeated once, with a new address if the
// old one is stale.
func (z *zipRun) addImage(ctx context.Context, image Image) error {
	e := &zipEntry{zipRun: z, image: image}
	err := e.fetch(ctx)
	if err != nil && e.name == "" && retryable(err) && ctx.Err() == nil && !z.sources.tooSlow() {
		e.image = z.refreshed(ctx, image)
		err = e.fetch(ctx)
	}
	switch {
	case z.out.err != nil:
		return fmt.Errorf("client: %w", z.out.err)
	case errors.Is(ctx.Err(), context.Canceled):
		return fmt.Errorf("client: %w", ctx.Err())
	case err == nil:
	case e.name == "":
		z.addMissing(image.Name, "not included. "+missingReason(ctx, err))
	default:
		z.addMissing(e.name, fmt.Sprintf("incomplete, do not use it. After %.1f MB: %s", float64(e.bytes)/1e6, missingReason(ctx, err)))
	}
	if err != nil {
		z.Log.WarnContext(ctx, "zip lacks an image", "order", z.bundle.Order, "image", image.ID, "bytes", e.bytes, "err", err)
	}
	return nil
}

// retryable reports whether a second fetch of an image may help.
func retryable(err error) bool {
	return !errors.Is(err, ErrRefused) && !errors.Is(err, ErrTooLarge)
}

// refreshed returns the image with its newest address.
func (z *zipRun) refreshed(ctx context.Context, image Image) Image {
	if began := time.Now(); began.Sub(z.askedAt) > z.stale {
		z.askedAt = began // also if it fails
		defer func() { z.sources.record(0, time.Since(began)) }()
		if err := z.loadDelivery(ctx); err != nil {
			z.Log.InfoContext(ctx, "zip has no fresh addresses", "order", z.bundle.Order, "err", err)
		}
	}
	i := slices.IndexFunc(z.delivery.Images, func(other Image) bool { return other.ID == image.ID && other.Name == image.Name })
	if i < 0 {
		return image
	}
	return z.delivery.Images[i]
}

// addMissing adds a line to the list.
func (z *zipRun) addMissing(name, text string) {
	z.missing = append(z.missing, entryName(name)+": "+text)
}

// writeMissing adds the list of missing images, if there are any.
func (z *zipRun) writeMissing(all int) error {
	if len(z.missing) == 0 {
		return nil
	}
	rest := "The others are complete. "
	if len(z.missing) == all {
		rest = ""
	}
	entry, err := z.zip.CreateHeader(&zip.FileHeader{Name: notIncluded, Method: zip.Store, Modified: time.Now()})
	if err == nil {
		_, err = fmt.Fprintf(entry, "%d of %d photos are missing from this ZIP, or not complete:\n\n%s\n\n%sDownload it again later, or open these photos by their links in Slack.\n",
			len(z.missing), all, strings.Join(z.missing, "\n"), rest)
	}
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	return nil
}

// zipEntry fetches one image into a ZIP.
type zipEntry struct {
	*zipRun
	image Image
	name  string // in the ZIP; "": not in it yet
	bytes int64
}

// fetch gets the image and writes it into the ZIP while it arrives. It cancels a source that pauses too long or sends
// too slowly. The time that the client takes for a piece does not count.
func (e *zipEntry) fetch(ctx context.Context) error {
	if e.sources.tooSlow() {
		return errTooSlow
	}
	defer e.countTime(time.Now(), e.out.meter.waited)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(e.idle, func() { cancel(errPaused) })
	defer watch.Stop()
	err := e.Fetcher.Stream(ctx, e.image.URL, func(p Picture) (int64, error) { return e.receive(p, watch) })
	if err != nil && errors.Is(context.Cause(ctx), errPaused) {
		return errPaused
	}
	return err
}

// countTime counts the time since began for the sources, without the client's time.
func (e *zipEntry) countTime(began time.Time, clientBefore time.Duration) {
	e.sources.record(int(e.bytes), time.Since(began)-(e.out.meter.waited-clientBefore))
}

var (
	errPaused  = errors.New("paused too long")
	errTooSlow = errors.New("the images before were too slow")
)

// receive writes an arriving picture into the ZIP.
func (e *zipEntry) receive(p Picture, watch *time.Timer) (int64, error) {
	watch.Stop()
	e.name = e.names.unique(e.image.Name, p.Type)
	entry, err := e.zip.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Store, Modified: e.image.Modified})
	if err == nil {
		err = e.copyPieces(entry, p.Body, watch)
	}
	return e.bytes, err
}

// copyPieces writes the image in pieces.
func (e *zipEntry) copyPieces(entry io.Writer, body io.Reader, watch *time.Timer) error {
	buf := make([]byte, 64<<10)
	source := paceMeter{pace: e.sourcePace, idle: e.idle, window: e.idle}
	for {
		began := time.Now()
		watch.Reset(source.deadline(began).Sub(began))
		n, readErr := body.Read(buf)
		watch.Stop()
		source.record(n, time.Since(began))
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

// missingReason returns a sentence: why an image is missing.
func missingReason(ctx context.Context, err error) string {
	status, answered := errors.AsType[statusError](err)
	switch {
	case ctx.Err() != nil:
		return "The whole download took too long."
	case errors.Is(err, ErrGone):
		return "The photo service no longer has it at its link."
	case errors.Is(err, ErrNotPicture), errors.Is(err, ErrEmpty):
		return "Its link does not lead to a photo."
	case errors.Is(err, ErrTooLarge):
		return fmt.Sprintf("It is larger than %d MB.", MaxSize>>20)
	case errors.Is(err, ErrRefused):
		return "Darkroom does not open the link that the photo service gave for it."
	case answered:
		return fmt.Sprintf("The photo service did not give it out (status %d).", int(status))
	case errors.Is(err, errPaused):
		return "The photo service stopped sending it, or sent it too slowly."
	case errors.Is(err, errTooSlow):
		return "The photo service sent the photos before it too slowly."
	}
	return "The connection to the photo service broke."
}
