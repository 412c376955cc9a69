package store_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/retention"
	"darkroom/store/settingstest"
	"darkroom/store/tenants"
)

// exported reads the lines of an export, by their types.
func exported(t *testing.T, raw []byte) map[string][]retention.ExportLine {
	t.Helper()
	lines := map[string][]retention.ExportLine{}
	scanner := bufio.NewScanner(bytes.NewReader(raw))
	scanner.Buffer(nil, 10<<20)
	for scanner.Scan() {
		var line retention.ExportLine
		require.NoError(t, json.Unmarshal(scanner.Bytes(), &line), scanner.Text())
		lines[line.Type] = append(lines[line.Type], line)
	}
	require.NoError(t, scanner.Err())
	return lines
}

func TestAnExportHasWhatTheWorkspaceHasAndNothingSecret(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		brief := order.Brief{By: "UMARIA", Instructions: []string{"Brighter & <b>"}, Sources: []order.Source{{Name: "a.jpg", URL: "https://example.com/a.jpg?token=t0p", Instruction: "crop"}}}
		_, err := s.Changes.AddOrder(ctx, store.NewOrder{
			ID: "1", Reference: "K7Q2XM", Owner: owner, Images: 1, Brief: &brief,
			Order: order.Order{ID: "1", ProjectName: "Smith wedding", Status: order.StatusEditing, OrderedAt: time.Unix(1000, 0)},
		})
		require.NoError(t, err)
		record(t, s, "1", order.Order{Status: order.StatusReviewing, EditedImages: []order.EditedImage{{ID: "i1", Name: "a-edited.jpg", Origin: "https://photos.example.com/pr1vate.jpg"}}})
		place(t, s, "2")
		settingstest.Save(t, s, "T1", "C1", store.Settings{Relay: store.RelayReplies})
		require.NoError(t, s.Documents.PutTTL(ctx, "a", "typed by somebody", time.Hour))

		var whole bytes.Buffer
		counts, err := retention.NewExports(s).Export(ctx, &whole)
		require.NoError(t, err)
		lines := exported(t, whole.Bytes())
		require.Equal(t, counts.Orders, len(lines["order"]))
		require.Equal(t, 2, counts.Orders)
		require.Equal(t, counts.Events, len(lines["event"]))
		require.GreaterOrEqual(t, counts.Events, 3)
		require.Len(t, lines["settings"], 1)
		require.Contains(t, string(lines["settings"][0].Settings), "replies")
		for _, part := range []string{"Smith wedding", "K7Q2XM", "Brighter & <b>", "crop", "a-edited.jpg", "UMARIA", `"C1"`} {
			require.Contains(t, whole.String(), part)
		}
		for _, secret := range []string{"t0p", "pr1vate", "https://", "typed by somebody"} {
			require.NotContains(t, whole.String(), secret)
		}
	})
}

func TestAnExportIsAsLongAsWasSaid(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		place(t, s, "1")
		size, err := retention.NewExports(s).ExportSize(ctx)
		require.NoError(t, err)
		place(t, s, "2") // meanwhile
		var sized bytes.Buffer
		require.NoError(t, retention.NewExports(s).ExportSized(ctx, &sized, size))
		require.EqualValues(t, size, sized.Len())
		lines := exported(t, sized.Bytes())
		require.Len(t, lines["order"], 2)
		require.Len(t, lines["end"], 1)
		require.Equal(t, 2, lines["end"][0].Lines.Orders)
		require.ErrorIs(t, retention.NewExports(s).ExportSized(ctx, &bytes.Buffer{}, 50), retention.ErrExportGrew)
		require.ErrorIs(t, retention.NewExports(s).ExportSized(ctx, &bytes.Buffer{}, int64(len(lines["end"][0].Padding))), nil)
	})
}

// forgetAll forgets a workspace to its end.
func forgetAll(t *testing.T, s *store.Store) tenants.WorkspaceForgetting {
	t.Helper()
	w := tenants.WorkspaceForgetting{}
	for range 1000 {
		var err error
		w, err = s.Removals.ForgetPage(t.Context(), w)
		require.NoError(t, err)
		if w.Done {
			return w
		}
	}
	t.Fatal("it never ends")
	return w
}

func TestAForgottenWorkspaceLeavesNoKey(t *testing.T) {
	each(t, func(t *testing.T, _ *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		ours, q := storeIn(rdb, "T1")
		others, _ := storeIn(rdb, "T12")
		useEverything(t, ours, q, rdb)
		place(t, others, "1")
		before := dump(t, rdb)
		require.NoError(t, rdb.Set(ctx, "{T1}:installation", "x", 0).Err())

		since := time.Unix(1_700_000_000, 0).UTC()
		require.NoError(t, ours.Removals.BeginForgetting(ctx, since))
		c, err := ours.Connection.Read(ctx)
		require.NoError(t, err)
		require.True(t, c.Busy(since.Add(time.Minute)))
		require.False(t, c.Busy(since.Add(25*time.Hour)), "nobody waits for ever for one that was given up")
		w := forgetAll(t, ours)
		require.Positive(t, w.Keys)

		after := dump(t, rdb)
		for key := range after {
			if strings.HasPrefix(key, "{T1}:") {
				require.True(t, key == "{T1}:connection" || key == "{T1}:installation" || strings.HasPrefix(key, "{T1}:q:") || strings.HasPrefix(key, "{T1}:poll:") || strings.HasPrefix(key, "{T1}:lock:"), key)
			}
		}
		for key := range before {
			if strings.HasPrefix(key, "{T12}:") {
				require.Equal(t, before[key], after[key], "%s is another workspace's", key)
			}
		}
		c, err = ours.Connection.Read(ctx)
		require.NoError(t, err)
		require.Equal(t, tenants.Connection{Forgetting: since, Forgotten: true}, c)
		require.Positive(t, rdb.TTL(ctx, "{T1}:connection").Val(), "the mark expires")
		require.Zero(t, forgetAll(t, ours).Keys, "again is nothing")

		require.NoError(t, ours.Connection.NoteConnected(ctx, tenants.ServiceAccount{URL: "https://api.example.com", Key: "k"}, c))
		require.Negative(t, rdb.TTL(ctx, "{T1}:connection").Val(), "who connects again is remembered for good")
		c, err = ours.Connection.Read(ctx)
		require.NoError(t, err)
		require.Zero(t, c.Forgetting)
	})
}

// What is added while a workspace is forgotten, behind the walk, goes too.
func TestWhatIsAddedWhileAWorkspaceIsForgottenGoesToo(t *testing.T) {
	each(t, func(t *testing.T, _ *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		s, _ := storeIn(rdb, "T1")
		place(t, s, "1")
		w, err := s.Removals.ForgetPage(t.Context(), tenants.WorkspaceForgetting{})
		require.NoError(t, err)
		require.False(t, w.Done, "a walk that found something is not the last one")
		place(t, s, "2")
		for !w.Done {
			w, err = s.Removals.ForgetPage(t.Context(), w)
			require.NoError(t, err)
		}
		_, err = s.Orders.Order(t.Context(), "2")
		require.ErrorIs(t, err, store.ErrNotTracked)
	})
}

// Workspaces of one shard have one hash tag, and one's id may begin as another's does.
func TestForgettingAWorkspaceLeavesThoseOfItsShard(t *testing.T) {
	each(t, func(t *testing.T, _ *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		q := queue.New(rdb, queue.Options{Keyspace: keyspace.New("darkroom:07"), Share: 4, Logger: slog.New(slog.DiscardHandler)})
		one, other := store.New(rdb, q.In("T1")), store.New(rdb, q.In("T12"))
		place(t, one, "1")
		place(t, other, "1")
		var copied bytes.Buffer
		counts, err := retention.NewExports(one).Export(t.Context(), &copied)
		require.NoError(t, err)
		require.Equal(t, 1, counts.Orders)

		before := dump(t, rdb)
		require.Positive(t, forgetAll(t, one).Keys)
		after := dump(t, rdb)
		for key, value := range before {
			if strings.HasPrefix(key, "{darkroom:07}:T1:") {
				require.NotContains(t, after, key)
			} else {
				require.Equal(t, value, after[key], key)
			}
		}
		_, err = other.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
	})
}
