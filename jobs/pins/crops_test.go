package pins

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/files"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// uploads is a Slack that takes images.
type uploads struct {
	answers.Slack
	mu    sync.Mutex
	errs  []error // of the next uploads
	taken [][]byte
}

func (u *uploads) UploadImage(_ context.Context, _ string, data []byte) (string, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.errs) > 0 {
		err := u.errs[0]
		u.errs = u.errs[1:]
		if err != nil {
			return "", err
		}
	}
	u.taken = append(u.taken, data)
	return fmt.Sprint("F", len(u.taken)), nil
}

// added is a call of AddReferences.
type added struct {
	id    string
	asker answers.Asker
	crops answers.Album
}

// rig is the jobs of pins over a queue with a worker.
type rig struct {
	t     *testing.T
	pins  *Pins
	slack *uploads
	queue *queue.Queue
	base  string // of a host whose pictures end in .jpg
	added chan added
	ends  chan error // of deliveries
}

func newRig(t *testing.T) *rig {
	t.Helper()
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page.jpg" {
			fmt.Fprint(w, "<!doctype html>")
			return
		}
		var picture bytes.Buffer
		_ = jpeg.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 800, 600)), nil)
		_, _ = w.Write(picture.Bytes())
	}))
	t.Cleanup(host.Close)
	rdb, log := storetest.Client(t), slog.New(slog.DiscardHandler)
	r := &rig{t: t, slack: &uploads{}, base: host.URL, added: make(chan added, 8), ends: make(chan error, 64)}
	r.queue = queue.New(rdb, queue.Options{Logger: log})
	s := store.New(rdb, r.queue)
	signer, err := files.NewSigner("https://darkroom.example", []string{"a-key-that-has-thirty-two-letters"})
	require.NoError(t, err)
	r.pins = &Pins{
		Slack: r.slack, Drafts: s.Pins, Putter: &job.Putter{Queue: r.queue}, Maker: files.NewSheets(true, nil, log), Files: signer, Log: log,
		AddReferences: func(_ context.Context, id string, a answers.Asker, crops answers.Album) error {
			r.added <- added{id, a, crops}
			return nil
		},
	}
	var kinds queue.Registry
	require.NoError(t, kinds.Add(r.pins.CropsKind()))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- r.queue.Run(ctx, func(ctx context.Context, d *queue.Delivery) error {
			k, _ := kinds.Kind(d.Kind)
			err := k.Work(ctx, d)
			r.ends <- err
			return err
		})
	}()
	t.Cleanup(func() { stop(); require.NoError(t, <-ended) })
	return r
}

// reviewed is an order with these photos in its first round.
func (r *rig) reviewed(names ...string) store.Tracked {
	t := store.Tracked{ID: "1042"}
	for _, name := range names {
		t.Order.EditedImages = append(t.Order.EditedImages, order.EditedImage{ID: name, Name: name, Origin: r.base + "/" + name})
	}
	return t
}

func pinOn(t store.Tracked, photo int, words string) order.Pin {
	return order.Pin{ID: words, Edit: t.Order.EditedImages[photo].Edit(), X: 100, Y: 100, Words: words}
}

var maria = answers.Asker{Team: "T1", User: "U0MARIA", View: "revise:1", ResponseURL: "https://hooks.example"}

func (r *rig) next() added {
	r.t.Helper()
	select {
	case a := <-r.added:
		return a
	case <-time.After(20 * time.Second):
		require.Fail(r.t, "no crops were added")
	}
	return added{}
}

func TestEachPhotoWithPinsGetsOneCropAndTheDraftIsSent(t *testing.T) {
	r := newRig(t)
	o := r.reviewed("beach.jpg", "house.jpg", "cake.jpg")
	sent := order.Pins{pinOn(o, 0, "Stain"), pinOn(o, 2, "Crumbs"), pinOn(o, 0, "Bird")}
	for _, pin := range append(sent, pinOn(o, 1, "Set after the request")) {
		_, err := r.pins.Drafts.Change(t.Context(), o.ID, "U0MARIA", 0, func(had order.Pins) (order.Pins, error) { return had.With(pin) })
		require.NoError(t, err)
	}
	for range 2 { // a job that is delivered twice asks twice
		require.NoError(t, r.pins.Requested(t.Context(), "revise:1", maria, o, sent))
	}
	got := r.next()
	require.Equal(t, "revise:1:crops:add", got.id)
	require.Equal(t, answers.Asker{Team: "T1", User: "U0MARIA"}, got.asker, "the form has its answer")
	require.Len(t, got.crops.Photos, 2)
	require.Equal(t, "1042", got.crops.Order)
	first, second := got.crops.Photos[0], got.crops.Photos[1]
	require.Equal(t, []string{"1 · beach.jpg, marked", "3 · cake.jpg, marked"}, []string{first.Name, second.Name})
	require.Equal(t, "The marks on 1 · beach.jpg:\n1: (left, upper third) Stain\n2: (left, upper third) Bird", got.crops.Each[first.URL])
	require.Equal(t, "The marks on 3 · cake.jpg:\n1: (left, upper third) Crumbs", got.crops.Each[second.URL])
	for _, photo := range got.crops.Photos {
		require.Contains(t, photo.URL, "https://darkroom.example"+files.Path)
	}
	for _, crop := range r.slack.taken {
		_, err := jpeg.Decode(bytes.NewReader(crop))
		require.NoError(t, err)
	}
	d, err := r.pins.Drafts.Read(t.Context(), o.ID, "U0MARIA")
	require.NoError(t, err)
	require.Len(t, d.Pins, 1)
	require.Equal(t, "Set after the request", d.Pins[0].Words)
	require.Empty(t, r.added)
}

// A crop that was uploaded before the job failed has the same address in the next delivery: another would look like another
// photo to the service.
func TestACropIsUploadedOnce(t *testing.T) {
	r := newRig(t)
	o := r.reviewed("beach.jpg", "house.jpg")
	r.slack.errs = []error{nil, errors.New("connection reset")}
	require.NoError(t, r.pins.Requested(t.Context(), "revise:1", maria, o, order.Pins{pinOn(o, 0, "Stain"), pinOn(o, 1, "Bird")}))
	got := r.next()
	require.Len(t, got.crops.Photos, 2)
	require.Equal(t, "F1", got.crops.Photos[0].File)
	require.Equal(t, "F2", got.crops.Photos[1].File)
	require.Len(t, r.slack.taken, 2)
}

func TestWhatCannotBeDrawnOrUploadedIsLeftOut(t *testing.T) {
	r := newRig(t)
	o := r.reviewed("page.jpg", "house.jpg", "cake.jpg")
	r.slack.errs = []error{client.ErrMissingScope}
	sent := order.Pins{pinOn(o, 0, "Stain"), pinOn(o, 1, "Bird"), pinOn(o, 2, "Crumbs")}
	require.NoError(t, r.pins.Requested(t.Context(), "revise:1", maria, o, sent))
	got := r.next()
	require.Len(t, got.crops.Photos, 1)
	require.Equal(t, "3 · cake.jpg, marked", got.crops.Photos[0].Name)

	none := r.reviewed("page.jpg")
	require.NoError(t, r.pins.Requested(t.Context(), "revise:2", maria, none, order.Pins{pinOn(none, 0, "Stain")}))
	for range 2 {
		require.NoError(t, <-r.ends)
	}
	require.Empty(t, r.added, "nothing is added without a crop")
}

func TestWithoutPinsOrAPublicURLThereAreNoCrops(t *testing.T) {
	r := newRig(t)
	o := r.reviewed("beach.jpg")
	require.NoError(t, r.pins.Requested(t.Context(), "revise:1", maria, o, nil))
	gone := pinOn(o, 0, "Stain")
	gone.Edit = "replaced"
	require.NoError(t, r.pins.Requested(t.Context(), "revise:2", maria, o, order.Pins{gone}))
	r.pins.Files = nil
	require.NoError(t, r.pins.Requested(t.Context(), "revise:3", maria, o, order.Pins{pinOn(o, 0, "Stain")}))
	stats, err := r.queue.Inspector().Stats(t.Context())
	require.NoError(t, err)
	require.Zero(t, stats.Jobs+stats.Delayed)
	require.Empty(t, r.ends)
}
