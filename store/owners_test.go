package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/storetest"
)

// TestWhoeverRacesTheIndexesTellTheOwners: three orders change in any sequence, with one
// step between another's read and write. Then every index agrees with the orders.
func TestWhoeverRacesTheIndexesTellTheOwners(t *testing.T) {
	t.Parallel()
	rdb := storetest.Client(t)
	rapid.Check(t, func(rt *rapid.T) {
		require.NoError(t, storetest.Main(t.Context(), rdb).FlushDB(t.Context()).Err())
		w := newOwners(t, rdb)
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			w.step(rt)
			w.check(rt)
		}
	})
}

// owners does steps on orders, and remembers every card and how far each order came.
type owners struct {
	t        *testing.T
	rdb      redis.UniversalClient
	s, raced *store.Store
	between  func() // happens before the next script of raced
	cards    []carded
	seen     map[string]store.Tracked
}

// carded is a card that was out once.
type carded struct {
	id, channel, ts string
	generation      int
}

func newOwners(t *testing.T, rdb redis.UniversalClient) *owners {
	t.Helper()
	w := &owners{t: t, rdb: rdb, s: newStore(rdb), seen: map[string]store.Tracked{}}
	mine := storetest.Another(t, rdb)
	mine.AddHook(before(func(cmd redis.Cmder) {
		if between := w.between; between != nil && strings.HasPrefix(cmd.Name(), "eval") {
			w.between = nil
			between()
		}
	}))
	w.raced = newStore(mine)
	return w
}

// step does something, and half the time something else in the middle of it.
func (w *owners) step(rt *rapid.T) {
	if rapid.Bool().Draw(rt, "raced") {
		other := w.draw(rt, w.s)
		w.between = other
	}
	w.draw(rt, w.raced)()
	w.between = nil
}

// draw chooses a step; what it is refused is fine.
func (w *owners) draw(rt *rapid.T, s *store.Store) func() {
	id := rapid.SampledFrom([]string{"1", "2", "3"}).Draw(rt, "order")
	channel := rapid.SampledFrom([]string{"C1", "C2", "C3"}).Draw(rt, "channel")
	user := rapid.SampledFrom([]string{"UMARIA", "UBEN"}).Draw(rt, "user")
	status := rapid.SampledFrom([]order.Status{order.StatusEditing, order.StatusReviewing, order.StatusRevising, order.StatusClosed, order.StatusCanceled}).Draw(rt, "status")
	adopted := rapid.Bool().Draw(rt, "adopted")
	ctx := w.t.Context()
	steps := map[string]func() error{
		"place": func() error {
			_, err := s.Changes.AddOrder(ctx, store.NewOrder{
				ID: id, Reference: "REF" + id, Adopted: adopted,
				Owner: store.Owner{Team: "T1", Channel: channel, Requester: user},
				Order: order.Order{Status: status, OrderedAt: time.Unix(1000, 0)},
			})
			return err
		},
		"move": func() error { _, err := s.Changes.Move(ctx, id, channel, user); return err },
		"take over": func() error {
			now, err := s.Orders.Order(ctx, id)
			if err == nil {
				_, err = s.Changes.TakeOver(ctx, id, now.Owner.Requester, user)
			}
			return err
		},
		"untrack": func() error { _, err := s.Changes.Untrack(ctx, id, user); return err },
		"gone": func() error {
			m, err := s.Changes.Missed(ctx, id, time.Now())
			if err != nil {
				return err
			}
			return s.Changes.MarkGone(ctx, id, m.Since)
		},
		"intend": func() error {
			return s.Changes.Intend(ctx, id, order.Intent{Verb: order.VerbApprove, Actor: user, Job: user})
		},
		"record": func() error {
			now, err := s.Orders.Order(ctx, id)
			if err == nil {
				_, _, err = s.Changes.Record(ctx, id, now.Version, anOrder(status, len(w.cards)%3))
			}
			return err
		},
		"tell": func() error { return w.tell(s, id) },
	}
	name := rapid.SampledFrom([]string{"place", "place", "move", "take over", "untrack", "gone", "intend", "record", "record", "tell", "tell"}).Draw(rt, "step")
	return func() {
		err := steps[name]()
		if !errors.Is(err, store.ErrNotTracked) && !errors.Is(err, store.ErrStale) && !errors.Is(err, store.ErrMoved) && !errors.Is(err, store.ErrTaken) {
			require.NoError(w.t, err, name)
		}
	}
}

// tell is the announcer's visit: the card, then each event.
func (w *owners) tell(s *store.Store, id string) error {
	now, events, err := s.Announcements.Pending(w.t.Context(), id)
	if err != nil {
		return err
	}
	card := carded{id: id, channel: now.Owner.Channel, ts: now.CardTS, generation: now.Owner.Generation}
	if card.ts == "" {
		card.ts = fmt.Sprint("100.", len(w.cards))
	}
	w.cards = append(w.cards, card)
	if err := s.Announcements.CardPosted(w.t.Context(), id, card.generation, card.ts, now.Version); err != nil {
		return err
	}
	for _, e := range events {
		if err := s.Announcements.EventPosted(w.t.Context(), id, card.generation, store.Posted{Event: e.Seq, ID: e.ID, TS: card.ts + e.ID, Buttons: e.Kind == order.EventReady}); err != nil {
			return err
		}
	}
	return nil
}

// check compares every index with the orders.
func (w *owners) check(rt *rapid.T) {
	byChannel, byUser, all := map[string][]string{}, map[string][]string{}, []string{}
	active, err := w.s.Active(w.t.Context())
	require.NoError(rt, err)
	lagging, err := w.s.Announcements.Unannounced(w.t.Context())
	require.NoError(rt, err)
	for _, id := range []string{"1", "2", "3"} {
		now, err := w.s.Orders.Order(w.t.Context(), id)
		if errors.Is(err, store.ErrNotTracked) {
			require.NotContains(rt, active, id)
			continue
		}
		require.NoError(rt, err)
		w.checkCourse(rt, now)
		require.Equal(rt, !now.Untracked && !now.Order.Status.Final(), hasKey(active, id), "active")
		require.Equal(rt, now.Gone && hasKey(active, id), active[id].Gone, "gone")
		behind := now.Announced < now.LastEvent || now.CardVersion < now.Version
		if !now.Untracked {
			require.Equal(rt, behind, slices.Contains(lagging, id), "lagging")
			byChannel[now.Owner.Channel] = append(byChannel[now.Owner.Channel], id)
			byUser[now.Owner.Requester] = append(byUser[now.Owner.Requester], id)
			all = append(all, id)
		}
	}
	for _, channel := range []string{"C1", "C2", "C3"} {
		require.Equal(rt, byChannel[channel], w.indexed(rt, "channel:T1:"+channel), channel)
	}
	for _, user := range []string{"UMARIA", "UBEN"} {
		require.Equal(rt, byUser[user], w.indexed(rt, "requester:T1:"+user), user)
	}
	channels, err := w.s.Orders.Channels(w.t.Context(), "T1")
	require.NoError(rt, err)
	require.Len(rt, channels, len(byChannel))
	for _, id := range []string{"1", "2", "3"} {
		_, err := w.s.Orders.Find(w.t.Context(), "ref"+id)
		require.Equal(rt, slices.Contains(all, id), err == nil, "found by its reference")
	}
	w.checkCards(rt)
}

// indexed are the raw members of an index, sorted.
func (w *owners) indexed(rt *rapid.T, key string) []string {
	members, err := w.rdb.ZRange(w.t.Context(), "{darkroom}:"+key, 0, -1).Result()
	require.NoError(rt, err)
	if len(members) == 0 {
		return nil
	}
	slices.Sort(members)
	return members
}

// checkCourse: nothing goes back, and each event has the number of its place.
func (w *owners) checkCourse(rt *rapid.T, now store.Tracked) {
	was := w.seen[now.ID]
	w.seen[now.ID] = now
	require.GreaterOrEqual(rt, now.Version, was.Version)
	require.GreaterOrEqual(rt, now.Owner.Generation, was.Owner.Generation)
	require.GreaterOrEqual(rt, now.Announced, was.Announced)
	require.LessOrEqual(rt, now.Announced, now.LastEvent)
	events, err := w.s.Orders.Events(w.t.Context(), now.ID)
	require.NoError(rt, err)
	require.Len(rt, events, int(now.LastEvent))
	for i, e := range events {
		require.EqualValues(rt, i+1, e.Seq)
	}
	if now.Owner.Generation == was.Owner.Generation && was.Owner.Channel != "" {
		was.Owner.Requester = now.Owner.Requester // it may have been taken over
		require.Equal(rt, was.Owner, now.Owner, "an owner has a generation")
	}
}

// checkCards: a card finds its order while it is the order's own, in its channel.
func (w *owners) checkCards(rt *rapid.T) {
	for _, c := range w.cards {
		now, err := w.s.Orders.Order(w.t.Context(), c.id)
		require.NoError(rt, err)
		found, err := w.s.Orders.ByThread(w.t.Context(), "T1", c.channel, c.ts)
		if err != nil {
			require.ErrorIs(rt, err, store.ErrNotTracked)
		}
		mine := !now.Untracked && now.CardTS == c.ts && now.Owner.Generation == c.generation
		if mine {
			require.Equal(rt, c.id, found.ID)
		} else if err == nil {
			require.Equal(rt, c.generation, found.Owner.Generation, "a card of another place")
			require.Equal(rt, c.channel, found.Owner.Channel)
		}
	}
	keys, err := storetest.Main(w.t.Context(), w.rdb).Keys(w.t.Context(), "*").Result()
	require.NoError(rt, err)
	for _, key := range keys {
		require.True(rt, strings.HasPrefix(key, "{darkroom}:"), "%s is in another slot", key)
	}
}

func hasKey[V any](m map[string]V, key string) bool {
	_, ok := m[key]
	return ok
}
