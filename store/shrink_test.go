package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/retention"
)

func TestAShrunkOrderIsStillFoundAndTold(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		at := busyLife(t, s, 5)
		approvedAt(t, s, at)
		before, err := s.Orders.Order(t.Context(), weighed)
		require.NoError(t, err)
		history, err := s.Orders.Events(t.Context(), weighed)
		require.NoError(t, err)
		applyRetention(t, s, atOnce)

		after, err := s.Orders.Order(t.Context(), weighed)
		require.NoError(t, err)
		require.Nil(t, after.Order.EditedImages, "the service has them")
		require.Equal(t, before.Version, after.Version)
		require.GreaterOrEqual(t, after.Announced, after.LastEvent)
		want := before
		want.Order.EditedImages, want.Order.Conversation, want.Thread, want.Delivered = nil, nil, nil, nil
		want.Brief = new(before.Brief.Essence())
		want.Adopted, want.Shrunk, want.LastEvent, want.Announced = true, true, after.LastEvent, after.Announced
		require.Equal(t, want, after)
		for _, name := range []string{weighed, "k7q2xm"} {
			found, err := s.Orders.Find(t.Context(), name)
			require.NoError(t, err)
			require.Equal(t, after, found)
		}
		found, err := s.Orders.ByThread(t.Context(), after.Owner.Team, after.Owner.Channel, after.CardTS)
		require.NoError(t, err)
		require.Equal(t, after, found)
		for _, list := range []func() ([]store.Tracked, int, error){
			func() ([]store.Tracked, int, error) {
				return s.Orders.InChannels(t.Context(), "T0123ABCD", []string{"C0123ABCDEF"}, nil, 0, 9)
			},
			func() ([]store.Tracked, int, error) {
				return s.Orders.Requested(t.Context(), "T0123ABCD", "U0123ABCDEF", func(o store.Tracked) bool { return o.Order.Status == order.StatusClosed }, 0, 9)
			},
		} {
			listed, total, err := list()
			require.NoError(t, err)
			require.Equal(t, []store.Tracked{after}, listed)
			require.Equal(t, 1, total)
		}
		short, err := s.Orders.Events(t.Context(), weighed)
		require.NoError(t, err)
		require.Equal(t, ids(history), ids(short))
		for i, e := range short {
			require.Equal(t, history[i].Kind, e.Kind)
			require.WithinDuration(t, history[i].At, e.At, time.Second)
		}
		require.Contains(t, short[2].Words[0], "Could you make the skies", "how the words begin")
	})
}

func TestTheHistoryOfAShrunkOrderIsBounded(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		for i := range 40 {
			record(t, s, "1", order.Order{Conversation: []order.Entry{{From: "Anna", Content: fmt.Sprint(i) + strings.Repeat(" 語", 400), CreatedAt: time.Unix(int64(i), 0)}}})
		}
		record(t, s, "1", anOrder(order.StatusCanceled, 0))
		announced(t, s, "1")
		applyRetention(t, s, atOnce)
		events, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		require.Less(t, len(events), 20)
		require.Equal(t, order.EventPlaced, events[0].Kind, "how it began")
		require.Equal(t, order.EventCanceled, events[len(events)-1].Kind, "and how it ended")
		after, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.Equal(t, int64(len(events)), after.LastEvent)
		moved, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		_, news, err := s.Announcements.Pending(t.Context(), "1")
		require.NoError(t, err)
		require.Equal(t, []string{"moved:g2"}, ids(news), "and nothing else is told to the new channel")
		require.Equal(t, moved.LastEvent, news[0].Seq)
	})
}

func TestWhatIsNotDoneWithIsNotShrunk(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		for name, busy := range map[string]func(id string){
			"its channel does not know all": func(id string) { record(t, s, id, anOrder(order.StatusClosed, 0)) },
			"a post may be out": func(id string) {
				record(t, s, id, anOrder(order.StatusClosed, 0))
				announced(t, s, id)
				require.NoError(t, s.Announcements.BeginPost(t.Context(), id, 1, 0))
			},
			"a job on it waits": func(id string) {
				record(t, s, id, anOrder(order.StatusClosed, 0))
				announced(t, s, id)
				q := queue.New(rdb, queue.Options{})
				_, err := q.Put(t.Context(), queue.Job{ID: "message:" + id, Lane: "order:" + id, Kind: "message"})
				require.NoError(t, err)
			},
			"it goes on": func(id string) {
				record(t, s, id, anOrder(order.StatusClosed, 0))
				record(t, s, id, delivered(1, "a"))
				announced(t, s, id)
			},
			"it may come back": func(id string) {
				announced(t, s, id)
				require.NoError(t, s.Changes.MarkGone(t.Context(), id, miss(t, s, id, time.Now()).Since))
				announced(t, s, id)
			},
		} {
			t.Run(name, func(t *testing.T) {
				id := strings.ReplaceAll(name, " ", "-")
				place(t, s, id)
				record(t, s, id, delivered(0, "a", "b"))
				busy(id)
				before, err := s.Orders.Order(t.Context(), id)
				require.NoError(t, err)
				applyRetention(t, s, atOnce)
				after, err := s.Orders.Order(t.Context(), id)
				require.NoError(t, err)
				require.Equal(t, before, after)
				applyRetention(t, s, retention.Policy{For: time.Hour})
				require.NotEmpty(t, after.Order.EditedImages)
			})
		}
	})
}

// A channel that is owed nothing more waits for no post either.
func TestWhatIsSettledIsShrunk(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		record(t, s, "1", delivered(0, "a", "b"))
		record(t, s, "1", anOrder(order.StatusClosed, 0))
		require.NoError(t, s.Announcements.BeginPost(t.Context(), "1", 1, 0))
		require.NoError(t, s.Announcements.SkipPending(t.Context(), "1", 1))
		applyRetention(t, s, atOnce)
		after, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.True(t, after.Shrunk)
	})
}

// A message to the editor of an order that has shrunk is told, and its old talk is not told again.
func TestTalkAboutAShrunkOrderBeginsWithWhatIsNew(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		at := busyLife(t, s, 5)
		full, err := s.Orders.Order(t.Context(), weighed)
		require.NoError(t, err)
		approvedAt(t, s, at)
		applyRetention(t, s, atOnce)
		o, err := s.Orders.Order(t.Context(), weighed)
		require.NoError(t, err)
		require.NoError(t, s.Changes.Intend(t.Context(), weighed, order.Intent{Verb: order.VerbMessage, Actor: "UBEN", Words: []string{"Thank you"}, Job: "j"}))
		answer := order.Order{Conversation: append(full.Order.Conversation, order.Entry{From: "client", Content: "Thank you", CreatedAt: time.Now()})}
		_, events, err := s.Changes.RecordAnswer(t.Context(), weighed, o.Version, answer, "j")
		require.NoError(t, err)
		require.Len(t, events, 1)
		require.Equal(t, "UBEN", events[0].Actor)
		announced(t, s, weighed)
		applyRetention(t, s, atOnce)
		again, err := s.Orders.Events(t.Context(), weighed)
		require.NoError(t, err)
		require.Equal(t, []string{"Thank you"}, again[len(again)-1].Words, "it shrinks again, with what came to it")
	})
}

// An order shrinks between its reading and its writing by somebody who sees other pictures: the
// history that was read is another than the one that is kept now.
func TestPicturesAreNotKeptInAHistoryThatHasShrunk(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		for revision := range 30 {
			record(t, s, "1", anOrder(order.StatusRevising, revision))
			record(t, s, "1", delivered(revision, fmt.Sprint("a", revision)))
		}
		known, _ := record(t, s, "1", anOrder(order.StatusClosed, 29))
		announced(t, s, "1")
		late := overtaken(t, rdb, func(other *store.Store) {
			_, err := retention.NewRetirement(other).ApplyRetention(t.Context(), atOnce)
			assert.NoError(t, err)
		})
		seen := anOrder(order.StatusClosed, 29)
		seen.EditedImages = delivered(29, "b").EditedImages
		now, _, err := late.Changes.Record(t.Context(), "1", known.Version, seen)
		require.NoError(t, err)
		require.Equal(t, "b", now.Order.EditedImages[0].ID)
		events, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		require.Equal(t, "approved", events[len(events)-1].ID)
		for _, e := range events {
			require.NotContains(t, e.Order.EditedImages, order.EditedImage{ID: "a29", Revision: 29})
		}
	})
}
