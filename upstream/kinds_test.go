package upstream_test

import (
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/sandbox/photos"
	"darkroom/upstream"
)

// A text that fits into an address, and a letter that does so a thousand times at most.
const (
	shortText = `a/b "best" <b>&'s café 📷`
	letter    = "ü"
)

// kindOfService is a service of one kind, with a client that uses its way, and its order.
type kindOfService struct {
	t       *testing.T
	o       photos.Options
	service *photos.Service
	client  *upstream.Client
	picture string
	id      string // of an order of one image
}

// fits reports whether a long request reaches the service.
func (k *kindOfService) fits(method string) bool {
	switch k.o.Params {
	case photos.Query:
		return method == http.MethodPost
	case photos.QueryOnly:
		return false
	}
	return true
}

// sends requires that a request arrives, or is too long and is not sent.
func (k *kindOfService) sends(method string, long bool, call func() error) {
	k.t.Helper()
	before := len(k.service.Requests())
	err := call()
	if !long || k.fits(method) {
		require.NoError(k.t, err)
		require.Len(k.t, k.service.Requests(), before+1)
		return
	}
	var input *order.InputError
	require.ErrorAs(k.t, err, &input)
	assert.Contains(k.t, input.Problem, "too long for the photo service: it takes 8000 bytes at once")
	require.Len(k.t, k.service.Requests(), before, "nothing was sent")
}

// images returns addresses as long as those of photos in Slack.
func (k *kindOfService) images(n int) []upstream.Image {
	all := make([]upstream.Image, n)
	for i := range all {
		all[i] = upstream.Image{URL: fmt.Sprintf("%s/%d.png?token=%s", k.picture, i, strings.Repeat("x/é", 80)), Service: order.ServiceBasic, Instruction: shortText}
	}
	return all
}

// create places an order of so many images.
func (k *kindOfService) create(images int) {
	k.t.Helper()
	k.sends(http.MethodPost, images > 1, func() error {
		o, err := k.client.Create(k.t.Context(), upstream.NewOrder{ProjectName: "Müller/1 [K7Q2XM]", Instructions: []string{shortText}, CustomerID: "007", Images: k.images(images)})
		k.id = o.ID
		return err
	})
	if k.id != "" {
		_, err := k.client.Fetch(k.t.Context(), k.id)
		require.NoError(k.t, err)
	}
}

// review performs every operation on an order in review, with texts of that length.
func (k *kindOfService) review(long bool, text string) {
	k.t.Helper()
	ctx := k.t.Context()
	k.sends(http.MethodPost, long, func() error { return anOrder(k.client.Message(ctx, k.id, text)) })
	k.sends(http.MethodPost, long, func() error {
		return anOrder(k.client.AddReferences(ctx, k.id, []upstream.RefImage{{URL: fmt.Sprintf("%s/r%t.png", k.picture, long), Instruction: text}}))
	})
	o, err := k.client.Fetch(ctx, k.id)
	require.NoError(k.t, err)
	k.sends(http.MethodPost, long, func() error {
		return anOrder(k.client.Revise(ctx, k.id, map[string][]string{o.EditedImages[0].ID: {text, "one more"}}))
	})
	if o, err = k.client.Fetch(ctx, k.id); o.Status == order.StatusRevising {
		require.NoError(k.t, k.service.Deliver(k.id))
	}
	require.NoError(k.t, err)
	k.sends(http.MethodPost, long, func() error { return anOrder(k.client.Approve(ctx, k.id, []string{text, shortText})) })
}

func TestEveryOperationAtEveryKindOfService(t *testing.T) {
	t.Parallel()
	pictures := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_ = png.Encode(w, image.NewGray(image.Rect(0, 0, 4, 4)))
	}))
	t.Cleanup(pictures.Close)
	for _, o := range kinds() {
		t.Run(fmt.Sprint(wayOf(o)), func(t *testing.T) {
			t.Parallel()
			o.Manual, o.AllowPrivateURLs, o.Credits = true, true, decimal.NewFromInt(100)
			s := photos.New(o)
			require.NoError(t, s.Start())
			t.Cleanup(s.Close)
			c, err := upstream.New(speaking(upstream.Config{URL: s.URL(), Key: "sandbox-key", Secret: "sandbox-secret", Retries: -1}, wayOf(o)))
			require.NoError(t, err)
			k := &kindOfService{t: t, o: o, service: s, client: c, picture: pictures.URL}
			k.reads()
			for _, long := range []bool{true, false} {
				k.create(1)
				require.NoError(t, s.Deliver(k.id))
				k.review(long, map[bool]string{true: strings.Repeat(letter, 1500), false: shortText}[long])
			}
			k.create(50)
			k.cancel()
		})
	}
}

// reads performs every read.
func (k *kindOfService) reads() {
	k.t.Helper()
	k.sends(http.MethodGet, false, func() error { _, err := k.client.Balance(k.t.Context()); return err })
	for keywords, long := range map[string]bool{"naïve/wedding": false, strings.Repeat(letter, 1500): true} {
		before := len(k.service.Requests())
		_, err := k.client.List(k.t.Context(), order.Filter{Keywords: []string{keywords}, CustomerID: "007"})
		var input *order.InputError
		require.Equal(k.t, long, err != nil, err)
		require.Equal(k.t, long, assert.ErrorAs(new(testing.T), err, &input), "a read has no body")
		require.Equal(k.t, long, len(k.service.Requests()) == before)
	}
}

// cancel cancels an order of one image, if one of fifty could not be placed.
func (k *kindOfService) cancel() {
	k.t.Helper()
	if k.id == "" {
		k.create(1)
	}
	for _, words := range []int{1500, 1} {
		if k.fits(http.MethodDelete) && words == 1 {
			k.create(1)
		}
		k.sends(http.MethodDelete, words > 1, func() error {
			return anOrder(k.client.Cancel(k.t.Context(), k.id, []string{strings.Repeat(letter, words)}))
		})
	}
}
