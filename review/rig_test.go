package review

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
)

const (
	newKey   = "a-new-key-of-thirty-two-characters"
	oldKey   = "an-old-key-of-thirty-two-characters"
	otherKey = "some-other-key-of-many-characters"
	base     = "https://darkroom.example.com"
)

var noon = time.Date(2026, 11, 21, 12, 10, 0, 0, time.UTC)

func signer(tb testing.TB, keys ...string) *files.Signer {
	tb.Helper()
	s, err := files.NewSigner(base, keys)
	require.NoError(tb, err)
	return s
}

// record is what the store has of orders, by workspace and id.
type record struct {
	orders map[[2]string]store.Tracked
	events []order.Event
	err    error
	asked  int
	during func(ctx context.Context)
}

// of is the record of one workspace.
type of struct {
	*record
	workspace string
}

func (r of) WithEvents(ctx context.Context, id string) (store.Tracked, []order.Event, error) {
	r.asked++
	if r.during != nil {
		r.during(ctx)
	}
	if r.err != nil {
		return store.Tracked{}, nil, r.err
	}
	t, known := r.orders[[2]string{r.workspace, id}]
	if !known {
		return store.Tracked{}, nil, store.ErrNotTracked
	}
	return t, r.events, nil
}

// rig is a handler over an order in its second round, which has two photos.
type rig struct {
	t       testing.TB
	handler *Handler
	signer  *files.Signer
	record  *record
	pins    *drafts
	now     time.Time
	log     *bytes.Buffer
}

func newRig(tb testing.TB) *rig {
	tb.Helper()
	r := &rig{t: tb, signer: signer(tb, newKey, oldKey), record: &record{orders: map[[2]string]store.Tracked{}}, pins: &drafts{}, now: noon, log: &bytes.Buffer{}}
	r.set(func(*store.Tracked) {})
	r.handler = NewHandler(Config{
		Signer: r.signer, Now: func() time.Time { return r.now },
		Of: func(_ context.Context, workspace string) (Workspace, error) {
			r.pins.in = append(r.pins.in, workspace)
			if workspace == "TGONE" {
				return Workspace{}, store.ErrNotTracked
			}
			return Workspace{of{r.record, workspace}, r.pins}, nil
		},
		Log: slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	return r
}

func edit(id, name string, revision int) order.EditedImage {
	return order.EditedImage{
		ID: id, Name: name, Revision: revision, UploadedAt: noon.Add(time.Duration(revision) * time.Hour),
		Origin: "https://full.example.net/" + id, Thumb: "https://thumbs.example.org/" + id,
	}
}

// set records the order with a change.
func (r *rig) set(change func(t *store.Tracked)) {
	t := reviewed()
	change(&t)
	r.record.orders[[2]string{"", "1042"}] = t
	r.record.events = rounds(t)
}

// reviewed is an order in its second round, in which the first of two photos is new.
func reviewed() store.Tracked {
	second := 1
	t := store.Tracked{ID: "1042", Reference: "K7Q2XM", Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "U0MARIA", Generation: 3}}
	t.Order = order.Order{
		ID: "1042", ProjectName: "Wedding of Ada Lovelace [K7Q2XM]", Status: order.StatusReviewing, Revision: &second,
		EditedImages: []order.EditedImage{edit("a", "beach.jpg", 0), edit("b", "cake.jpg", 0), edit("c", "beach.jpg", 1)},
	}
	t.Names = map[string]string{"U0MARIA": "Maria Lopez"}
	t.Brief = &order.Brief{
		By: "U0MARIA", Instructions: []string{"Brighten the sky."}, Service: order.ServiceBasic,
		Sources: []order.Source{
			{Name: "beach.jpg", File: "F0BEACH"},
			{Name: "cake.jpg", URL: "https://shop.example.com/cake.jpg", Instruction: "Remove the crumbs."},
			{Name: "mood.jpg", URL: "https://mood.example.com/mood.jpg", Service: order.ServiceReference},
		},
	}
	return t
}

// rounds are the events that led to the order: its rounds, and what was asked for in between.
func rounds(t store.Tracked) []order.Event {
	first := order.Order{Status: order.StatusReviewing, Revision: new(int)}
	for _, image := range t.Order.EditedImages {
		if image.Revision == 0 {
			first.EditedImages = append(first.EditedImages, image)
		}
	}
	return []order.Event{
		{Seq: 1, Kind: order.EventPlaced, Actor: "U0MARIA"},
		{Seq: 2, Kind: order.EventReady, Order: first},
		{Seq: 3, Kind: order.EventChanges, Actor: "U0MARIA", Words: []string{"A little less of all."}, PerImage: map[string][]string{"a": {"Warmer for <@U0BEN|ben>, please.", "No tourists."}}},
		{Seq: 4, Kind: order.EventReady, Order: t.Order},
	}
}

// link is the path of the order's page.
func (r *rig) link() string {
	r.t.Helper()
	address := Address(r.signer, r.record.orders[[2]string{"", "1042"}], r.now)
	require.True(r.t, strings.HasPrefix(address, base+Path), address)
	return strings.TrimPrefix(address, base)
}

func (r *rig) ask(method, path string) *httptest.ResponseRecorder {
	r.t.Helper()
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, httptest.NewRequestWithContext(r.t.Context(), method, path, http.NoBody))
	return w
}

// page is the order's page, as a browser gets it.
func (r *rig) page() *httptest.ResponseRecorder {
	r.t.Helper()
	w := r.ask(http.MethodGet, r.link())
	require.Equal(r.t, http.StatusOK, w.Code, w.Body.String())
	return w
}
