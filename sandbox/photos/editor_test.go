package photos_test

import (
	"bytes"
	"image"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func (c *client) download(address string) string {
	c.t.Helper()
	r := c.fetchFile(http.MethodGet, address)
	require.NoError(c.t, r.err)
	require.Equal(c.t, http.StatusOK, r.status)
	return r.body
}

func (c *client) fetchFile(method, address string) reply {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, address, http.NoBody)
	require.NoError(c.t, err)
	return c.do(request)
}

func decoded(t *testing.T, content string) (image.Image, string) {
	t.Helper()
	picture, format, err := image.Decode(bytes.NewReader([]byte(content)))
	require.NoError(t, err)
	return picture, format
}

func TestEditedPicturesDecodeAndDifferFromTheirSource(t *testing.T) {
	g := gallery(t)
	tests := map[string]struct {
		path, name, format        string
		width, thumbW, thumbH     int
		kind, thumbKind, sizeText string
	}{
		"jpeg": {"/beach.jpg", "beach.jpg", "jpeg", 400, 320, 240, "image/jpeg", "image/jpeg", "0.01MB"},
		"png":  {"/logo.png", "logo.png", "png", 400, 320, 240, "image/png", "image/png", "0.01MB"},
		"gif":  {"/old.gif", "old.jpg", "jpeg", 400, 320, 240, "image/jpeg", "image/jpeg", "0.05MB"},
		"tiff": {"/scan.tiff", "scan.jpg", "jpeg", 80, 80, 60, "image/jpeg", "image/jpeg", "0.01MB"},
		"webp": {"/tiny.webp", "tiny.jpg", "jpeg", 1, 1, 1, "image/jpeg", "image/jpeg", "0.01MB"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := start(t, photos.Options{})
			edit := c.reviewed(g + test.path).Images[0]
			assert.Equal(t, test.name, edit.Name)
			assert.Equal(t, test.sizeText, edit.Size)
			full := c.download(edit.Origin)
			picture, format := decoded(t, full)
			assert.Equal(t, test.format, format)
			assert.Equal(t, test.width, picture.Bounds().Dx())
			assert.Equal(t, []int{edit.Width, edit.Height}, []int{picture.Bounds().Dx(), picture.Bounds().Dy()})
			source := c.download(g + test.path)
			assert.NotEqual(t, source, full)
			before, _ := decoded(t, source)
			x, y := before.Bounds().Dx()/2, before.Bounds().Dy()/2
			if x > 1 {
				assert.Greater(t, brightness(picture, x, y), brightness(before, x, y))
				assert.Greater(t, brightness(picture, 0, 0), uint32(0xc000), "the border is light")
			}
			preview, _ := decoded(t, c.download(edit.Thumb))
			assert.Equal(t, []int{test.thumbW, test.thumbH}, []int{preview.Bounds().Dx(), preview.Bounds().Dy()})
			assert.Equal(t, test.thumbKind, c.fetchFile(http.MethodGet, edit.Thumb).header.Get("Content-Type"))
		})
	}
}

func brightness(picture image.Image, x, y int) uint32 {
	r, g, b, _ := picture.At(x, y).RGBA()
	return (r + g + b) / 3
}

func TestWhatCannotBeDecodedIsHandedBackWithAPreview(t *testing.T) {
	g := gallery(t)
	c := start(t, photos.Options{})
	o := c.reviewed(g+"/camera.raf", g+"/phone.heic")
	for i, path := range []string{"/camera.raf", "/phone.heic"} {
		assert.Equal(t, c.download(g+path), c.download(o.Images[i].Origin))
		_, format := decoded(t, c.download(o.Images[i].Thumb))
		assert.Equal(t, "png", format)
	}
}

func TestFilesHaveTypesAndLengthsAndAddressesNobodyGuesses(t *testing.T) {
	g := gallery(t)
	c := start(t, photos.Options{})
	edit := c.reviewed(g + "/beach.jpg").Images[0]
	assert.Regexp(t, `^http://127\.0\.0\.1:\d+/v2/files/originals/[0-9a-z]{24}/beach\.jpg$`, edit.Origin)
	seen := c.service.Orders()[0].Edited[0]
	r := c.fetchFile(http.MethodHead, c.base+seen.Origin)
	length, err := strconv.Atoi(r.header.Get("Content-Length"))
	require.NoError(t, err)
	assert.Len(t, c.download(c.base+seen.Origin), length)
	assert.Equal(t, "image/jpeg", r.header.Get("Content-Type"))
	assert.Contains(t, r.header.Get("Content-Disposition"), "attachment")
	assert.Equal(t, http.StatusNotFound, c.fetchFile(http.MethodGet, c.base+"/files/originals/000000000000000000000000/beach.jpg").status)
	assert.Equal(t, http.StatusNotFound, c.fetchFile(http.MethodPost, c.base+seen.Thumb).status)
}

func TestTheEditorWorksByItself(t *testing.T) {
	c := start(t, photos.Options{EditAfter: time.Millisecond})
	id := c.named(gallery(t), "Harbor")
	c.eventually(id, "reviewing")
	image := c.get("/orders/"+id, nil).order(t).Images[0].ID
	c.post("/orders/"+id+"/revise", fields{"instructions": map[string][]string{image: {"x"}}}).order(t)
	c.eventually(id, "reviewing")
	assert.Len(t, c.get("/orders/"+id, nil).order(t).Images, 2)
}

func TestAManualEditorStartsWhenItIsMadeAutomatic(t *testing.T) {
	c := start(t, photos.Options{Manual: true, EditAfter: time.Millisecond})
	g := gallery(t)
	first := c.named(g, "First")
	assert.Equal(t, "editing", c.service.Orders()[0].Status)
	c.service.SetAutomatic(true)
	c.eventually(first, "reviewing")
	c.service.SetAutomatic(false)
	second := c.named(g, "Second")
	require.NoError(t, c.service.Deliver(second))
}

func (c *client) eventually(id, status string) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		o, _ := c.service.Order(id)
		return o.Status == status
	}, 5*time.Second, time.Millisecond)
}

func TestAPausedOrderWaitsAndGoesOnWhereItWas(t *testing.T) {
	c := start(t, photos.Options{EditAfter: time.Hour})
	o := c.reviewed(gallery(t) + "/beach.jpg")
	require.Error(t, c.service.Pause(o.ID), "nothing to pause")
	c.post("/orders/"+o.ID+"/revise", fields{"instructions": map[string][]string{o.Images[0].ID: {"x"}}}).order(t)
	require.NoError(t, c.service.Pause(o.ID))
	assert.Equal(t, "paused", c.get("/orders/"+o.ID, nil).order(t).Status)
	require.Error(t, c.service.Deliver(o.ID))
	c.post("/orders/"+o.ID+"/approve", nil).refused(t, "invalid order status")
	require.NoError(t, c.service.Resume(o.ID))
	require.Error(t, c.service.Resume(o.ID))
	assert.Equal(t, "revising", c.get("/orders/"+o.ID, nil).order(t).Status)
	require.NoError(t, c.service.Deliver(o.ID))
	require.Error(t, c.service.Pause("none"))
}
