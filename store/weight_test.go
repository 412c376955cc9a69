package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/retention"
	"darkroom/store/storetest"
)

// announced is what the announcer writes: the card, and a reply for each event.
func announced(t *testing.T, s *store.Store, id string) {
	t.Helper()
	tracked, events, err := s.Announcements.Pending(t.Context(), id)
	require.NoError(t, err)
	g := tracked.Owner.Generation
	require.NoError(t, s.Announcements.CardPosted(t.Context(), id, g, "1790000000.000100", tracked.Version))
	for _, e := range events {
		ts := fmt.Sprintf("1790000000.%06d", 200+e.Seq)
		require.NoError(t, s.Announcements.EventPosted(t.Context(), id, g, store.Posted{Event: e.Seq, ID: e.ID, TS: ts, Buttons: e.Kind == order.EventReady}))
		require.NoError(t, s.Announcements.ReviewSettled(t.Context(), id, g, store.Posted{TS: ts, Ended: "approved"}))
	}
}

// pictures are a delivery as the service tells of it: the addresses are long.
func pictures(n, revision int, at time.Time) (images []order.EditedImage) {
	for i := range n {
		file := fmt.Sprintf("IMG_%04d-r%d.jpg", i+1, revision)
		signed := strings.Repeat("0123456789abcdef", 6)
		images = append(images, order.EditedImage{
			ID: fmt.Sprintf("img%04d", i+1), Name: fmt.Sprintf("IMG_%04d.jpg", i+1), Width: 6000, Height: 4000, Size: "12.4MB",
			Revision: revision, UploadedAt: at,
			Thumb:  "https://cdn.photos.example.com/thumbs/ord123456/" + file + "?signature=" + signed,
			Origin: "https://cdn.photos.example.com/originals/ord123456/" + file + "?signature=" + signed,
		})
	}
	return images
}

// briefOf is what people ask for, with words of its own for every tenth image.
func briefOf(images int) *order.Brief {
	b := &order.Brief{
		By: "U0123ABCDEF", Service: order.ServiceBasic, CustomerID: "4711",
		Instructions: []string{"Natural colours, please, as in the last order.", "Brighten the faces, and remove the exit sign over the door."},
	}
	for i := range images {
		s := order.Source{Name: fmt.Sprintf("IMG_%04d.jpg", i+1)}
		if i%10 == 3 {
			s.Instruction = "Remove the waiter at the left."
		}
		b.Sources = append(b.Sources, s)
	}
	return b
}

const weighed = "ord1234567890"

// busyLife takes an order through a revision and a talk to its last delivery: what an open
// order is.
func busyLife(t *testing.T, s *store.Store, images int) time.Time {
	t.Helper()
	at := time.Now().Add(-24 * time.Hour).UTC().Truncate(time.Second)
	_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: weighed, Reference: "K7Q2XM", Brief: briefOf(images),
		Owner: store.Owner{Team: "T0123ABCD", Channel: "C0123ABCDEF", Requester: "U0123ABCDEF"},
		Order: order.Order{
			ProjectName: "Smith & Jones wedding, the evening at the lake [K7Q2XM]", CustomerID: "4711", Status: order.StatusEditing,
			Price: decimal.NewNullDecimal(decimal.NewFromInt(int64(images))), OrderedAt: at, EstimatedDelivery: at.Add(4 * time.Hour),
		},
		Credits: decimal.NewNullDecimal(decimal.NewFromInt(180)),
	})
	require.NoError(t, err)
	announced(t, s, weighed)
	first := anOrder(order.StatusReviewing, 0)
	first.EditedImages = pictures(images, 0, at.Add(3*time.Hour))
	record(t, s, weighed, first)
	announced(t, s, weighed)
	talk := order.Order{Conversation: []order.Entry{
		{From: "client", Content: "Could you make the skies of all evening pictures a little warmer? The couple liked how they were on the invitation.", CreatedAt: at.Add(4 * time.Hour)},
		{From: "Anna", Content: "Of course. I have taken the tone of the invitation for 3, 4 and 5, and left the portraits as they are.", CreatedAt: at.Add(5 * time.Hour)},
	}}
	record(t, s, weighed, talk)
	record(t, s, weighed, anOrder(order.StatusRevising, 1))
	announced(t, s, weighed)
	second := anOrder(order.StatusReviewing, 1)
	second.EditedImages = append(first.EditedImages, pictures(images, 1, at.Add(8*time.Hour))...)
	record(t, s, weighed, second)
	announced(t, s, weighed)
	return at
}

// approvedAt approves it.
func approvedAt(t *testing.T, s *store.Store, at time.Time) {
	t.Helper()
	closed := anOrder(order.StatusClosed, 1)
	closed.ClosedAt = at.Add(9 * time.Hour)
	record(t, s, weighed, closed)
	announced(t, s, weighed)
}

// weight is the memory of all keys of the order, in bytes.
func weight(t *testing.T, rdb *redis.Client) (bytes int64) {
	t.Helper()
	keys, err := storetest.Main(t.Context(), rdb).Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	for _, key := range keys {
		if strings.HasPrefix(key, "{darkroom}:q:") || !strings.Contains(key, weighed) && !strings.Contains(key, "K7Q2XM") && !strings.Contains(key, ":thread:") {
			continue // a job, or an index of all
		}
		n, err := rdb.MemoryUsage(t.Context(), key, 0).Result()
		require.NoError(t, err)
		bytes += n
	}
	return bytes
}

// most is what an order that has shrunk may weigh, in bytes.
const most = 4000

// What an order weighs in a real Redis through its life; with -v it is a table.
func TestAFinishedOrderWeighsLittleAndThenNothing(t *testing.T) {
	t.Parallel()
	rdb := storetest.Start(t).Client()
	s := newStore(rdb)
	t.Log("bytes of an order (MEMORY USAGE of all its keys)\n| images | open | closed | shrunk | after RETENTION |\n|---|---|---|---|---|")
	for _, images := range []int{5, 30, 50} {
		require.NoError(t, storetest.Main(t.Context(), rdb).FlushDB(t.Context()).Err())
		at := busyLife(t, s, images)
		open := weight(t, rdb)
		approvedAt(t, s, at)
		closed := weight(t, rdb)
		_, err := retention.NewRetirement(s).ApplyRetention(t.Context(), retention.Policy{})
		require.NoError(t, err)
		shrunk := weight(t, rdb)
		_, err = retention.NewRetirement(s).ApplyRetention(t.Context(), retention.Policy{For: time.Millisecond})
		require.NoError(t, err)
		gone := weight(t, rdb)
		t.Logf("| %d | %d | %d | %d | %d |", images, open, closed, shrunk, gone)
		require.Less(t, shrunk, int64(most))
		require.Zero(t, gone)
	}
}
