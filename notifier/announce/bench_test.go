package announce_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// silent is a Slack that accepts everything at once.
type silent struct{ posts int }

func (m *silent) Identity(context.Context) (client.Identity, error) {
	return client.Identity{URL: "https://x.slack.com/"}, nil
}
func (m *silent) Slot(context.Context, string) time.Duration          { return 0 }
func (m *silent) Edit(context.Context, string, client.Post) error     { return nil }
func (m *silent) Delete(context.Context, string, string) error        { return nil }
func (m *silent) React(context.Context, string, string, string) error { return nil }
func (m *silent) Join(context.Context, string) error                  { return nil }

func (m *silent) IsMemberNow(context.Context, string, string) (bool, error) { return true, nil }

func (m *silent) User(_ context.Context, id string) (slack.User, error) {
	return slack.User{ID: id}, nil
}

func (m *silent) UserNow(_ context.Context, id string) (slack.User, error) {
	return slack.User{ID: id}, nil
}

func (m *silent) DM(context.Context, string, client.Post) (a, b string, err error) {
	return "D1", "1.1", nil
}

func (m *silent) Direct(context.Context, string) (string, error) { return "D1", nil }

func (m *silent) Post(context.Context, client.Post) (string, error) {
	m.posts++
	return fmt.Sprintf("1700000000.%06d", m.posts), nil
}

func (m *silent) UploadImage(context.Context, string, []byte) (string, error) { return "F1", nil }

func (m *silent) UploadFile(context.Context, string, int64, io.Reader) (string, error) {
	return "F1", nil
}

func (m *silent) ShareFiles(context.Context, string, string, string, []slack.FileSummary) error {
	return nil
}

func (m *silent) Read(context.Context, client.Reading) ([]slack.Message, error) { return nil, nil }

func (m *silent) Root(context.Context, string, string) (slack.Message, error) {
	return slack.Message{}, nil
}

func (m *silent) Answers(context.Context) error { return nil }

// BenchmarkAnnounce announces one change of status: an edited card and one reply, over a real Redis and a
// free Slack. It reports the commands to Redis.
func BenchmarkAnnounce(b *testing.B) {
	rdb := storetest.Client(b)
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	s := store.New(rdb, q)
	slack := &silent{}
	a := announce.New(announce.Config{Slack: slack, Store: announce.StoreOf(s), Queue: q, Log: slog.New(slog.DiscardHandler)})
	work := handler(a, store.AnnounceKind)
	announce := func(id string) {
		require.NoError(b, work(b.Context(), delivery(store.AnnounceKind, store.AnnounceJob{Order: id, Generation: 1}, shoots)))
	}
	b.ReportAllocs()
	commands, n := 0, 0
	for b.Loop() {
		b.StopTimer()
		n++
		id := fmt.Sprint("ord", n)
		placed(b, s, id)
		announce(id)
		paused(b, s, id)
		before := storetest.Spending(b, rdb)
		b.StartTimer()
		announce(id)
		b.StopTimer()
		commands += storetest.Spending(b, rdb).Less(before).Commands
		b.StartTimer()
	}
	require.Equal(b, 3*n, slack.posts, "a card and two replies each")
	b.ReportMetric(float64(commands)/float64(n), "redis-commands/op")
}

func placed(b *testing.B, s *store.Store, id string) {
	b.Helper()
	_, err := s.Changes.AddOrder(b.Context(), store.NewOrder{
		ID: id, Images: 1, Owner: store.Owner{Team: "T0SANDBOX", Channel: shoots, Requester: "U0MARIA", Generation: 1},
		Order: order.Order{ID: id, ProjectName: "Smith wedding", Status: order.StatusEditing, OrderedAt: time.Now().Add(-time.Hour)},
	})
	require.NoError(b, err)
}

func paused(b *testing.B, s *store.Store, id string) {
	b.Helper()
	tracked, err := s.Orders.Order(b.Context(), id)
	require.NoError(b, err)
	_, events, err := s.Changes.Record(b.Context(), id, tracked.Version, order.Order{ID: id, Status: order.StatusPaused})
	require.NoError(b, err)
	require.Len(b, events, 1)
}
