package announce

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// FinalsKind is the kind of job that posts final images to threads, see [Announcer.Kinds].
const FinalsKind = "finals"

// Finals is what posting final images needs.
type Finals struct {
	Deliveries files.Deliveries // lists the images with valid addresses
	Fetcher    *files.Fetcher   // downloads them; its MaxBytes bounds each image
}

const (
	finalsLife  = 24 * time.Hour   // after which a job gives up
	finalsAgain = 30 * time.Second // between two requests for the list of images
	finalsTries = 5                // failed uploads of an image before it stays a link
)

// finalsJob concerns one approval.
type finalsJob struct {
	Order      string `json:"order"`
	Generation int    `json:"generation"`
	Event      int64  `json:"event"`
}

// finalsState is what such a job saves between deliveries.
type finalsState struct {
	Next        int                       `json:"next"`             // number of images that are done
	Files       []slack.FileSummary       `json:"files,omitempty"`  // uploaded
	NotUploaded map[int]order.EditedImage `json:"left,omitempty"`   // images that could not be uploaded, by number
	Tries       int                       `json:"tries,omitempty"`  // failed uploads of the next image
	Shared      int                       `json:"shared,omitempty"` // number of files that were posted
	Sharing     time.Time                 `json:"sharing,omitzero"` // when the next batch was sent; zero: not sent
}

type finalsSlack interface {
	reader
	slots
	UploadFile(ctx context.Context, name string, size int64, body io.Reader) (file string, err error)
	ShareFiles(ctx context.Context, channel, thread, comment string, files []slack.FileSummary) error
}

// finals posts the final images of an approval to its thread.
type finals struct {
	slack        finalsSlack
	orders       orders
	settings     *store.ChannelSettings
	source       *Finals // nil: final images stay links
	later        later
	outcomeAfter time.Duration
	log          *slog.Logger
}

// put puts a job for an approval's final images, if the channel wants them.
func (h *finals) put(ctx context.Context, a *announcement, e order.Event) error {
	if e.Kind != order.EventApproved || h.source == nil {
		return nil
	}
	settings, err := h.settings.Of(ctx, a.tracked.Owner.Team, a.tracked.Owner.Channel)
	if err != nil || !settings.FinalImages {
		return err
	}
	id := fmt.Sprintf("finals:%s:g%d:%d", a.id, a.generation, e.Seq)
	return h.later.put(ctx, queue.Job{ID: id, Lane: "finals:" + a.id, Kind: FinalsKind}, finalsJob{a.id, a.generation, e.Seq}, 0)
}

// finalsRun is one delivery of a finals job.
type finalsRun struct {
	*finals
	d     *queue.Delivery
	job   finalsJob
	state finalsState
	t     store.Tracked
}

// handle does a [FinalsKind] job. A failure loses nothing: the approval has links.
func (h *finals) handle(ctx context.Context, d *queue.Delivery, job finalsJob) error {
	state, err := queue.State[finalsState](d)
	if err != nil {
		return err
	}
	r := &finalsRun{finals: h, d: d, job: job, state: state}
	err = r.work(ctx)
	_, out := outOfReach(err)
	late := d.Now().Sub(d.PutAt) > finalsLife
	if err != nil && (out || late || isAny(err, store.ErrNotTracked, store.ErrMoved, client.ErrGone, client.ErrPayload)) {
		h.log.WarnContext(ctx, "final images stay links", "order", job.Order, "err", err)
		return nil
	}
	return postponed(ctx, h.log, err)
}

func (r *finalsRun) work(ctx context.Context) (err error) {
	r.t, err = r.orders.Order(ctx, r.job.Order)
	switch {
	case err != nil:
		return err
	case r.source == nil, r.t.Untracked:
		return nil
	case r.t.Owner.Generation != r.job.Generation:
		return store.ErrMoved
	case r.t.Announced < r.job.Event: // the approval's message is not recorded yet
		return queue.Wait(processing)
	}
	me, err := r.slack.Identity(ctx)
	if err != nil {
		return err
	}
	if !me.Granted("files:write") { // the scope is optional; the setting explains it
		r.log.InfoContext(ctx, "final images stay links: the app may not upload files", "order", r.job.Order)
		return nil
	}
	if err := r.uploadAll(ctx); err != nil {
		return err
	}
	return r.shareAll(ctx)
}

func (r *finalsRun) save(ctx context.Context) error { return r.d.SetState(ctx, r.state) }

// uploadAll uploads the remaining images. Nobody sees them before they are shared.
func (r *finalsRun) uploadAll(ctx context.Context) error {
	if r.state.Shared > 0 || !r.state.Sharing.IsZero() {
		return nil
	}
	b := files.Bundle{Order: r.job.Order, Round: r.t.Order.Rev(), Generation: r.job.Generation}
	delivery, err := r.source.Deliveries.Delivery(ctx, b)
	if _, refused := errors.AsType[*files.Refusal](err); refused {
		r.log.InfoContext(ctx, "no final images to upload", "order", r.job.Order, "err", err)
		return nil
	}
	if err != nil {
		r.log.WarnContext(ctx, "final images not asked for", "order", r.job.Order, "err", err)
		return queue.Wait(finalsAgain)
	}
	images := delivery.Images[:min(len(delivery.Images), order.MaxImages)]
	for r.state.Next < len(images) {
		if err := r.next(ctx, images[r.state.Next]); err != nil {
			return err
		}
	}
	return nil
}

// next uploads one image, or leaves it a link.
func (r *finalsRun) next(ctx context.Context, image files.Image) error {
	number := r.state.Next + 1
	known := order.EditedImage{ID: image.ID, Name: image.Name, Origin: image.URL}
	file, err := r.upload(ctx, image, known)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case isAny(err, client.ErrMissingScope, client.ErrToken, client.ErrNotAllowed):
		return err
	case errors.Is(err, client.ErrTryLater) && r.state.Tries < finalsTries:
		if _, limited := client.RetryAfter(err); !limited {
			r.state.Tries++
		}
		return errors.Join(r.save(ctx), err)
	case err != nil:
		r.log.WarnContext(ctx, "final image not uploaded", "order", r.job.Order, "image", image.ID, "err", err)
		if r.state.NotUploaded == nil {
			r.state.NotUploaded = map[int]order.EditedImage{}
		}
		r.state.NotUploaded[number] = known
	default:
		r.state.Files = append(r.state.Files, slack.FileSummary{ID: file, Title: cards.ImageLabel(number, known)})
	}
	r.state.Next, r.state.Tries = number, 0
	return r.save(ctx)
}

// upload streams one image to Slack. Slack needs the size first: an image from a server that does not send
// it is downloaded twice.
func (r *finalsRun) upload(ctx context.Context, image files.Image, known order.EditedImage) (file string, err error) {
	measured := int64(-1)
	take := func(p files.Picture) (n int64, err error) {
		size := max(p.Size, measured)
		if size < 0 {
			measured, err = io.Copy(io.Discard, p.Body)
			return measured, err
		}
		body := &source{Reader: p.Body}
		file, err = r.slack.UploadFile(ctx, cards.PreviewName(known), size, body)
		if body.err != nil { // the download failed, not Slack
			err = body.err
		}
		return body.read, err
	}
	err = r.source.Fetcher.Stream(ctx, image.URL, take)
	if err == nil && file == "" {
		err = r.source.Fetcher.Stream(ctx, image.URL, take)
	}
	return file, err
}

// source is an image during its download.
type source struct {
	io.Reader
	read int64
	err  error // why the download ended early
}

// Read implements [io.Reader].
func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// shareAll posts the files in the thread, batch by batch, each once.
func (r *finalsRun) shareAll(ctx context.Context) error {
	for r.state.Shared < len(r.state.Files) {
		if err := r.shareNext(ctx); err != nil {
			return err
		}
	}
	return nil
}

// shareNext posts the next batch. It leaves a mark before. If there is a mark already, it first looks for
// the files in the thread.
func (r *finalsRun) shareNext(ctx context.Context) error {
	batch := r.state.Files[r.state.Shared:min(r.state.Shared+client.MaxShared, len(r.state.Files))]
	if !r.state.Sharing.IsZero() {
		if wait := r.outcomeAfter - r.d.Now().Sub(r.state.Sharing); wait > 0 {
			return queue.Wait(wait)
		}
		out, err := r.isOut(ctx, batch)
		if err != nil {
			return err
		}
		if out {
			return r.shared(ctx, len(batch))
		}
	}
	if after := r.slack.Slot(ctx, r.t.Owner.Channel); after > 0 {
		return queue.Wait(after)
	}
	r.state.Sharing = r.d.Now()
	if err := r.save(ctx); err != nil {
		return err
	}
	comment := ""
	if r.state.Shared+len(batch) == len(r.state.Files) {
		comment = cards.FinalsNotUploaded(r.state.NotUploaded)
	}
	err := r.slack.ShareFiles(ctx, r.t.Owner.Channel, r.t.ThreadTS(), comment, batch)
	if errors.Is(err, client.ErrUnknownOutcome) {
		r.log.InfoContext(ctx, "final images may be out", "order", r.job.Order, "err", err)
		return queue.Wait(r.outcomeAfter)
	}
	if err != nil {
		return err
	}
	return r.shared(ctx, len(batch))
}

// shared records that a batch was posted.
func (r *finalsRun) shared(ctx context.Context, n int) error {
	r.state.Shared, r.state.Sharing = r.state.Shared+n, time.Time{}
	return r.save(ctx)
}

// isOut searches the thread for a batch.
func (r *finalsRun) isOut(ctx context.Context, batch []slack.FileSummary) (bool, error) {
	is := func(m slack.Message) bool {
		return slices.ContainsFunc(m.Files, func(f slack.File) bool { return f.ID == batch[0].ID })
	}
	messages, err := r.slack.Read(ctx, client.Reading{
		Channel: r.t.Owner.Channel, Thread: r.t.ThreadTS(), Oldest: r.state.Sharing.Add(-clockSkew), Is: is, Near: r.state.Sharing,
	})
	if err != nil && !errors.Is(err, client.ErrTooMany) {
		return false, err
	}
	return slices.ContainsFunc(messages, is), nil
}
