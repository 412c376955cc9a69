package announce_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/files/inspect"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
)

// pictureHost serves /WIDTHxHEIGHT/SHADE/name as a JPEG: a white border around a square of that shade. /gone/ fails,
// /page/ is no picture, /dark/ is black, and /clear/ transparent.
type pictureHost struct {
	*httptest.Server
	asked, read atomic.Int64 // requests; those for parts
	during      func()       // called during a request for a part; nil: nothing
}

func newPictureHost(t *testing.T) *pictureHost {
	t.Helper()
	h := &pictureHost{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.asked.Add(1)
		if r.Header.Get("Range") != "" {
			h.read.Add(1)
			if h.during != nil {
				h.during()
			}
		}
		parts := strings.Split(r.URL.Path, "/")
		if parts[1] == "gone" {
			http.Error(w, "gone", http.StatusInternalServerError)
			return
		}
		if parts[1] == "page" {
			_, _ = w.Write([]byte("<!doctype html><p>Please log in."))
			return
		}
		if parts[1] == "dark" || parts[1] == "clear" {
			_ = png.Encode(w, plain(map[string]color.Color{"dark": color.Black, "clear": color.Transparent}[parts[1]]))
			return
		}
		width, height, _ := strings.Cut(parts[1], "x")
		wide, _ := strconv.Atoi(width)
		high, _ := strconv.Atoi(height)
		shade, _ := strconv.Atoi(parts[2])
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(drawn(wide, high, uint8(shade))))
	}))
	t.Cleanup(h.Close)
	return h
}

// plain returns a picture of one color.
func plain(c color.Color) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 60, 40))
	draw.Draw(img, img.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

// drawn returns a JPEG: a white border around a rectangle of that shade.
func drawn(wide, high int, shade uint8) []byte {
	img := image.NewGray(image.Rect(0, 0, wide, high))
	for y := range high {
		for x := range wide {
			img.SetGray(x, y, color.Gray{Y: 255})
			if x > wide/4 && x < wide*3/4 && y > high/4 && y < high*3/4 {
				img.SetGray(x, y, color.Gray{Y: shade})
			}
		}
	}
	var out bytes.Buffer
	_ = jpeg.Encode(&out, img, nil)
	return out.Bytes()
}

// inspected is a rig whose channel has rules for photos.
func inspected(t *testing.T, rules order.Requirements) (*rig, *pictureHost) {
	t.Helper()
	r, host := newRig(t, workspace.Options{}), newPictureHost(t)
	r.config.Inspector = inspect.New(true)
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Requires: rules})
	r.place(t, shoots)
	return r, host
}

// edit is a delivered photo of that size. Its preview is small and of that shade.
func (h *pictureHost) edit(name, size string, shade int) order.EditedImage {
	return order.EditedImage{ID: "i" + name, Name: name + ".jpg", Origin: h.URL + "/" + size + "/0/" + name, Thumb: h.URL + "/60x40/" + strconv.Itoa(shade) + "/" + name}
}

// inspectionJob returns the job that inspects the newest review.
func (r *rig) inspectionJob(t *testing.T) *queue.Delivery {
	t.Helper()
	for _, job := range slices.Backward(r.put.jobs) {
		if strings.Contains(job.ID, ":inspect:") {
			return &queue.Delivery{Job: job}
		}
	}
	require.Fail(t, "no job inspects the delivery")
	return nil
}

// inspects delivers that job until it is done.
func (r *rig) inspects(t *testing.T) {
	t.Helper()
	r.fill(t, r.inspectionJob(t))
}

func TestAReviewSaysWhatIsNotAsOrdered(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{LongEdge: 2000})
	r.happens(t, order.StatusReviewing, 0, host.edit("a", "1200x800", 9), host.edit("b", "2000x1500", 9), host.edit("c", "page", 9), host.edit("d", "gone", 9))
	r.announce(t)
	before := shown(t, r.reply(t, shoots, "ready:r0"))
	require.NotContains(t, before, "look", "the review does not wait")
	posts, _ := r.calls("chat.postMessage")
	r.inspects(t)
	said := shown(t, r.reply(t, shoots, "ready:r0"))
	require.Contains(t, said, "*2 of 4 photos need a look:* 1 · a.jpg is 1,200 px, ordered 2,000 px; 3 · c.jpg is not a picture. Not checked: 4.")
	require.Positive(t, buttons(r.reply(t, shoots, "ready:r0")))
	require.Equal(t, order.Inspected{Photos: 3, Faulty: 2}, must(r.Orders.Order(t.Context(), orderID)).Inspected, "the report counts what was read")
	after, _ := r.calls("chat.postMessage")
	require.Equal(t, posts, after, "nothing more is posted")

	r.happens(t, order.StatusPaused, 0)
	r.announce(t)
	require.NotContains(t, shown(t, r.reply(t, shoots, "ready:r0")), "need a look", "an ended review asks for nothing")
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), "need a look", "it is kept")
}

func TestAReviewSaysThatAllIsAsOrdered(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{LongEdge: 2000, Backdrop: order.BackgroundWhite})
	r.happens(t, order.StatusReviewing, 0, host.edit("a", "2000x800", 9), host.edit("b", "2000x1500", 9))
	r.announce(t)
	r.inspects(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), "2 photos, all as ordered.")
}

func TestWithoutRulesAReviewSaysNothing(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{})
	r.happens(t, order.StatusReviewing, 0, host.edit("a", "10x10", 9))
	r.announce(t)
	before, _ := r.calls("chat.update")
	asked := host.asked.Load()
	r.inspects(t)
	after, _ := r.calls("chat.update")
	require.Equal(t, before, after)
	require.Equal(t, asked, host.asked.Load(), "and nothing is fetched")
	require.Zero(t, must(r.Orders.Order(t.Context(), orderID)).Inspected)
}

func TestAnEditThatLooksAsBeforeIsSaid(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{})
	a, b := host.edit("a", "10x10", 9), host.edit("b", "10x10", 9)
	r.happens(t, order.StatusReviewing, 0, a, b)
	r.announce(t)
	r.asks(t, map[string][]string{"ia": {"warmer"}, "ib": {"darker"}})
	a.Revision, b.Revision = 1, 1
	a.Thumb, b.Thumb = host.edit("a2", "", 9).Thumb, host.edit("b2", "", 90).Thumb
	r.happens(t, order.StatusReviewing, 1, a, b)
	r.announce(t)
	r.inspects(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r1")), "*1 of 2 photos needs a look:* 1 · a.jpg looks the same as in round 1.")
	require.Equal(t, order.Inspected{Photos: 2, Faulty: 1}, must(r.Orders.Order(t.Context(), orderID)).Inspected)
}

func TestTheRulesOfAPresetComeFirst(t *testing.T) {
	t.Parallel()
	for preset, want := range map[string]string{"Shop": "ordered 3,000 px", "Without rules": "ordered 2,000 px", "Removed": "ordered 2,000 px"} {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			r, host := newRig(t, workspace.Options{}), newPictureHost(t)
			r.config.Inspector = inspect.New(true)
			settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Requires: order.Requirements{LongEdge: 2000}})
			for name, rules := range map[string]order.Requirements{"Shop": {LongEdge: 3000}, "Without rules": {}} {
				require.NoError(t, r.Presets.SavePreset(t.Context(), "T0SANDBOX", shoots, store.Preset{Name: name, Requires: rules}, "", false))
			}
			r.placeFrom(t, order.Brief{Preset: preset, Sources: []order.Source{{Name: "a.jpg", File: "F1"}, {Name: "b.jpg", File: "F2"}}})
			r.happens(t, order.StatusReviewing, 0, host.edit("a", "1200x800", 9))
			r.announce(t)
			r.inspects(t)
			require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), "*1 photo is missing:* b.jpg. *1 of 1 photo needs a look:* 1 · a.jpg is 1,200 px, "+want+".")
		})
	}
}

// placeFrom places an order with that brief.
func (r *rig) placeFrom(t *testing.T, brief order.Brief) {
	t.Helper()
	zero := 0
	_, err := r.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: orderID, Reference: "K7Q2XM", Owner: store.Owner{Team: "T0SANDBOX", Channel: shoots, Requester: "U0MARIA", Generation: 1},
		Order: order.Order{ID: orderID, ProjectName: "Smith wedding [K7Q2XM]", Status: order.StatusEditing, Revision: &zero}, Brief: &brief,
	})
	require.NoError(t, err)
	r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 1}, shoots)
}

// Some services deliver a later round as new photos. Only in the first round a second edit is a finding.
func TestALaterRoundMayBeDeliveredAsNewPhotos(t *testing.T) {
	t.Parallel()
	r, host := newRig(t, workspace.Options{}), newPictureHost(t)
	r.config.Inspector = inspect.New(true)
	r.placeFrom(t, order.Brief{Sources: []order.Source{{Name: "a.jpg", File: "F1"}}})
	a, again := host.edit("a", "10x10", 9), host.edit("a_edited", "10x10", 90)
	r.happens(t, order.StatusReviewing, 0, a)
	r.announce(t)
	r.asks(t, map[string][]string{"ia": {"warmer"}})
	r.happens(t, order.StatusReviewing, 1, a, again)
	r.announce(t)
	r.inspects(t)
	require.NotContains(t, shown(t, r.reply(t, shoots, "ready:r1")), "second edit")
}

// A review that is decided while its delivery is inspected says nothing of it.
func TestAnInspectionThatComesTooLateIsNotShown(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{LongEdge: 2000})
	r.happens(t, order.StatusReviewing, 0, host.edit("a", "1200x800", 9))
	r.announce(t)
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	asked := host.asked.Load()
	r.inspects(t)
	require.Equal(t, asked, host.asked.Load())
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
}

func TestWithoutAnInspectorNoJobInspects(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{LongEdge: 2000})
	r.config.Inspector = nil
	r.happens(t, order.StatusReviewing, 0, host.edit("a", "1200x800", 9))
	r.announce(t)
	require.False(t, slices.ContainsFunc(r.put.jobs, func(j queue.Job) bool { return strings.Contains(j.ID, ":inspect:") }))
}

// asks records that somebody requested changes of single photos, and of all others.
func (r *rig) asks(t *testing.T, each map[string][]string, others ...string) {
	t.Helper()
	require.NoError(t, r.Changes.Intend(t.Context(), orderID, order.Intent{Verb: string(order.VerbRevise), Actor: "U0BEN", PerImage: each, Words: others, At: time.Now(), Job: "j1"}))
	r.happens(t, order.StatusRevising, 0)
}

// A report counts what is as ordered, too. Each round brings the photos again; a repeated job does not.
func TestEachRoundIsCountedForTheReport(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{LongEdge: 2000})
	small, good, other := host.edit("a", "1200x800", 9), host.edit("a", "2000x800", 99), host.edit("b", "2000x1500", 9)
	inspects := func(want order.Inspected, revision int, photos ...order.EditedImage) {
		t.Helper()
		for i := range photos {
			photos[i].Revision = revision
		}
		r.happens(t, order.StatusReviewing, revision, photos...)
		r.announce(t)
		r.inspects(t)
		require.Equal(t, want, must(r.Orders.Order(t.Context(), orderID)).Inspected)
	}
	inspects(order.Inspected{Photos: 2, Faulty: 1}, 0, small, other)
	r.asks(t, map[string][]string{"ia": {"larger"}})
	inspects(order.Inspected{Photos: 4, Faulty: 1}, 1, good, other)
	r.inspects(t)
	require.Equal(t, order.Inspected{Photos: 4, Faulty: 1}, must(r.Orders.Order(t.Context(), orderID)).Inspected, "a repeated job")
}

// Where nothing is required, an edit that was changed is as ordered. The review has nothing to say.
func TestWithoutRulesChangedPhotosAreCountedForTheReport(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{})
	a, b := host.edit("a", "10x10", 9), host.edit("b", "10x10", 9)
	r.happens(t, order.StatusReviewing, 0, a, b)
	r.announce(t)
	r.asks(t, map[string][]string{"ia": {"warmer"}})
	a.Revision, a.Thumb = 1, host.edit("a", "", 90).Thumb
	r.happens(t, order.StatusReviewing, 1, a, b)
	r.announce(t)
	r.inspects(t)
	require.NotContains(t, shown(t, r.reply(t, shoots, "ready:r1")), "as ordered")
	require.Equal(t, order.Inspected{Photos: 1}, must(r.Orders.Order(t.Context(), orderID)).Inspected, "nobody asked for changes of the other")
}

// An edit that Slack did not take is tried again with what was found already.
func TestAnInspectionIsKeptUntilItIsShown(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{LongEdge: 2000})
	r.happens(t, order.StatusReviewing, 0, host.edit("a", "1200x800", 9))
	r.announce(t)
	job := r.inspectionJob(t)
	r.w.Misbehave("chat.update", workspace.Fails("internal_error"), 1)
	require.Error(t, handler(announce.New(r.config), store.AnnounceKind)(t.Context(), job))
	r.freshClient(t)
	delivery, _ := must(r.Orders.Order(t.Context(), orderID)).Delivery()
	require.NotNil(t, delivery.Inspection, "it is recorded before anybody reads it: their form begins with it")
	read := host.read.Load()
	require.NoError(t, handler(announce.New(r.config), store.AnnounceKind)(t.Context(), job))
	require.Equal(t, read, host.read.Load(), "no file is read again")
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), "1 · a.jpg is 1,200 px, ordered 2,000 px.")
}

func TestAReviewThatEndsWhileItIsInspectedStaysEnded(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{LongEdge: 2000})
	r.happens(t, order.StatusReviewing, 0, host.edit("a", "1200x800", 9))
	r.announce(t)
	host.during = func() {
		host.during = nil
		r.happens(t, order.StatusClosed, 0)
		r.announce(t)
	}
	edits, _ := r.calls("chat.update")
	require.NoError(t, handler(announce.New(r.config), store.AnnounceKind)(t.Context(), r.inspectionJob(t)))
	require.Nil(t, host.during)
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
	require.NotContains(t, shown(t, r.reply(t, shoots, "ready:r0")), "needs a look")
	after, _ := r.calls("chat.update")
	require.Equal(t, 2, after-edits, "the card and the review, at its end")
}

func TestTheBackgroundIsThatOfThePreviewsBorder(t *testing.T) {
	t.Parallel()
	for required, want := range map[order.Background]string{
		order.BackgroundWhite:       "*2 of 3 photos need a look:* 2 · b.jpg may not have a white background; 3 · c.jpg may not have a white background.",
		order.BackgroundTransparent: "*2 of 3 photos need a look:* 1 · a.jpg may not have a transparent background; 2 · b.jpg may not have a transparent background.",
	} {
		r, host := inspected(t, order.Requirements{Backdrop: required})
		white, black, clear := host.edit("a", "60x40", 9), host.edit("b", "60x40", 9), host.edit("c", "60x40", 9)
		black.Thumb, clear.Thumb = host.URL+"/dark/0/b", host.URL+"/clear/0/c"
		r.happens(t, order.StatusReviewing, 0, white, black, clear)
		r.announce(t)
		r.inspects(t)
		require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), want)
	}
}

func TestAPhotoThatCannotBeReadIsNotChecked(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{Formats: []string{"image/jpeg"}})
	r.happens(t, order.StatusReviewing, 0, host.edit("a", "gone", 9), host.edit("b", "60x40", 9))
	r.announce(t)
	r.inspects(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), "1 of 2 photos is as ordered. Not checked: 1.")
}

// While somebody's request waits, a review is not live. It may go on.
func TestAnInspectionWaitsForARequestThatWaits(t *testing.T) {
	t.Parallel()
	r, host := inspected(t, order.Requirements{LongEdge: 2000})
	r.happens(t, order.StatusReviewing, 0, host.edit("a", "1200x800", 9))
	r.announce(t)
	job := r.inspectionJob(t)
	note := func(waits ...store.Wait) {
		require.NoError(t, r.Changes.NoteWaits(t.Context(), orderID, waits, time.Now().Add(time.Minute)))
	}
	note(store.Wait{Verb: order.VerbApprove, Actor: "U0BEN", Begun: true})
	require.Equal(t, 3*time.Second, waits(t, handler(announce.New(r.config), store.AnnounceKind)(t.Context(), job)))
	note()
	host.during = func() {
		host.during = nil
		note(store.Wait{Verb: order.VerbApprove, Actor: "U0BEN", Begun: true})
	}
	require.Equal(t, 3*time.Second, waits(t, handler(announce.New(r.config), store.AnnounceKind)(t.Context(), job)))
	note()
	r.fill(t, job)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), "1 · a.jpg is 1,200 px, ordered 2,000 px.")
}
