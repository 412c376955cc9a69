package workspace

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/metrics"
	"darkroom/files"
	"darkroom/files/inspect"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// kept is one order on record, and at the service.
type kept struct {
	tracked store.Tracked
	unknown error // to the record
	events  []order.Event
	there   order.Order
	away    error // the service's
}

func (k *kept) Order(context.Context, string) (store.Tracked, error)   { return k.tracked, k.unknown }
func (k *kept) Events(context.Context, string) ([]order.Event, error)  { return k.events, nil }
func (k *kept) Fetch(_ context.Context, _ string) (order.Order, error) { return k.there, k.away }

func edit(id, name string, revision int) order.EditedImage {
	return order.EditedImage{ID: id, Name: name, Revision: revision, Origin: "https://photos.example.com/" + id}
}

// keptOrder is one in its second round, in which one of two images is new.
func keptOrder() *kept {
	second := 1
	k := &kept{tracked: store.Tracked{ID: "1042", Owner: store.Owner{Generation: 1}}}
	k.there = order.Order{
		ID: "1042", Status: order.StatusReviewing, Revision: &second,
		EditedImages: []order.EditedImage{edit("a", "beach.jpg", 0), edit("b", "cake.jpg", 0), edit("c", "cake.jpg", 1)},
	}
	k.events = []order.Event{
		{Kind: order.EventReady, Order: order.Order{Revision: new(int), EditedImages: k.there.EditedImages[:2]}},
		{Kind: order.EventReady, Order: k.there},
	}
	return k
}

func addressesOf(d files.Delivery) map[string]string {
	held := map[string]string{}
	for _, i := range d.Images {
		held[i.Name] = i.URL
	}
	return held
}

func TestAZIPHoldsTheImagesOfItsRound(t *testing.T) {
	k := keptOrder()
	hold := func(round int) files.Delivery {
		t.Helper()
		d, err := deliveries{k, k}.Delivery(t.Context(), files.Bundle{Order: "1042", Round: round, Generation: 1})
		require.NoError(t, err)
		return d
	}
	beach, cake := "https://photos.example.com/a", "https://photos.example.com/b"
	assert.Equal(t, map[string]string{"beach.jpg": beach, "cake.jpg": cake}, addressesOf(hold(0)))
	assert.Equal(t, map[string]string{"beach.jpg": beach, "cake.jpg": "https://photos.example.com/c"}, addressesOf(hold(1)))

	k.there.EditedImages = []order.EditedImage{edit("a", "beach.jpg", 0), edit("b", "cake.jpg", 1)} // in place of the older edit
	d := hold(0)
	assert.Equal(t, map[string]string{"beach.jpg": beach}, addressesOf(d))
	assert.Equal(t, []files.Missing{{Name: "cake.jpg", Why: "The photo service no longer offers it as it was in round 1."}}, d.Missing)
	assert.Empty(t, hold(1).Missing)
}

func TestThereIsNoZIPOfAnOrderThatIsNotThere(t *testing.T) {
	for says, change := range map[string]func(k *kept){
		zipUnknown:  func(k *kept) { k.unknown = store.ErrNotTracked },
		zipLeft:     func(k *kept) { k.tracked.Owner.Generation = 2 },
		zipGone:     func(k *kept) { k.away = &order.Error{Op: "fetch", Messages: []string{"invalid order id"}} },
		zipCanceled: func(k *kept) { k.there.Status = order.StatusCanceled },
		zipEmpty:    func(k *kept) { k.there.EditedImages, k.events = nil, nil },
	} {
		k := keptOrder()
		change(k)
		_, err := deliveries{k, k}.Delivery(t.Context(), files.Bundle{Order: "1042", Generation: 1})
		refused, no := errors.AsType[*files.Refusal](err)
		require.True(t, no, "%s: %v", says, err)
		assert.Equal(t, says, refused.Message)
	}
	for name, change := range map[string]func(k *kept){
		"untracked": func(k *kept) { k.tracked.Untracked = true }, "gone": func(k *kept) { k.tracked.Gone = true },
		"canceled": func(k *kept) { k.tracked.Order.Status = order.StatusCanceled },
	} {
		k := keptOrder()
		change(k)
		_, err := deliveries{k, k}.Delivery(t.Context(), files.Bundle{Order: "1042", Generation: 1})
		_, no := errors.AsType[*files.Refusal](err)
		assert.True(t, no, name)
	}
	k := keptOrder()
	k.away = errors.New("away")
	_, err := deliveries{k, k}.Delivery(t.Context(), files.Bundle{Order: "1042", Generation: 1})
	require.ErrorIs(t, err, k.away)
	_, no := errors.AsType[*files.Refusal](err)
	assert.False(t, no, "another try may help")
}

func TestWhetherAZIPIsOfferedIsOnRecord(t *testing.T) {
	k := keptOrder()
	k.away = errors.New("away")
	require.NoError(t, deliveries{k, k}.Offered(t.Context(), files.Bundle{Order: "1042", Generation: 1}))
	err := deliveries{k, k}.Offered(t.Context(), files.Bundle{Order: "1042", Generation: 2})
	_, no := errors.AsType[*files.Refusal](err)
	assert.True(t, no)
}

// What a ZIP is to hold is asked for behind what people ask.
func TestAZIPAsksInTheBackground(t *testing.T) {
	cfg, err := config.Read([]string{
		"SLACK_BOT_TOKEN=xoxb-1", "SLACK_SIGNING_SECRET=s3cret", "UPSTREAM_URL=https://photos.example.com/v2", "UPSTREAM_API_KEY=key", "UPSTREAM_API_SECRET=secret", "REDIS_URL=redis://localhost",
	})
	require.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	s := &Shared{Config: cfg, Log: log, Redis: storetest.Client(t), Metrics: metrics.New(metrics.Build{}), Sheets: files.NewSheets(true, nil, log), Inspector: inspect.New(true), Wakes: make(chan *store.Store)}
	only, err := Only(s, queue.Options{Logger: log}, nil)
	require.NoError(t, err)
	a, err := New(only, nil)
	require.NoError(t, err)
	assert.Same(t, a.Background, a.deliveries.service)
}
