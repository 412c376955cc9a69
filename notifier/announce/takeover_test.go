package announce

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/store"
)

// staff is a workspace whose people are all in the channel, and a store with the order's actors.
type staff struct {
	acted       []string
	deactivated []string
	guests      []string
	silent      bool // Slack takes no direct message
	docs        map[string][]byte
	notified    []string
}

func (s *staff) Identity(context.Context) (client.Identity, error) {
	return client.Identity{Team: "T1"}, nil
}

func (s *staff) IsMemberNow(context.Context, string, string) (bool, error) { return true, nil }

func (s *staff) User(ctx context.Context, id string) (slack.User, error) { return s.UserNow(ctx, id) }

func (s *staff) UserNow(_ context.Context, id string) (slack.User, error) {
	return slack.User{ID: id, TeamID: "T1", Name: id, Deleted: slices.Contains(s.deactivated, id), IsRestricted: slices.Contains(s.guests, id)}, nil
}

func (s *staff) DM(_ context.Context, user string, _ client.Post) (channel, ts string, err error) {
	if s.silent {
		return "", "", client.ErrTryLater
	}
	s.notified = append(s.notified, user)
	return "D1", "1.1", nil
}

func (s *staff) Events(context.Context, string) (events []order.Event, err error) {
	for i, who := range s.acted {
		events = append(events, order.Event{Seq: int64(i + 1), Kind: order.EventMessage, Actor: who})
	}
	return events, nil
}

func (s *staff) PutTTL(_ context.Context, name string, doc any, _ time.Duration) (err error) {
	s.docs[name], err = json.Marshal(doc)
	return err
}

func (s *staff) Get(_ context.Context, name string, doc any) error {
	if s.docs[name] == nil {
		return store.ErrAbsent
	}
	return json.Unmarshal(s.docs[name], doc)
}

func (s *staff) Delete(_ context.Context, name string) error {
	delete(s.docs, name)
	return nil
}

// takeoverOf is the takeover of maria's order, whose channel is out of reach.
func takeoverOf(s *staff, ops func(context.Context, string) (bool, error)) (notify func(t *testing.T) bool) {
	s.docs = map[string][]byte{}
	log := slog.New(slog.DiscardHandler)
	to := &takeover{slack: s, orders: s, docs: s, people: &people{s, log}, ops: ops, log: log}
	return func(t *testing.T) bool {
		t.Helper()
		a := &announcement{id: "o1", generation: 1, tracked: store.Tracked{ID: "o1", Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "maria", Generation: 1}}}
		done, err := to.notify(t.Context(), a, order.DeniedArchived)
		require.NoError(t, err)
		return done
	}
}

// The offer of an order in an archived channel, after its requester was deactivated.
func TestAnOrderOutOfReachOffersItself(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		staff    staff
		notified []string
		ops      int
	}{
		"to the requester":                   {staff{acted: []string{"ben"}}, []string{"maria", "maria"}, 0},
		"to who worked on it":                {staff{acted: []string{"ben"}, deactivated: []string{"maria"}}, []string{"ben"}, 0},
		"to the last who did, but no guests": {staff{acted: []string{"ben", "ines", "olga"}, guests: []string{"ines"}, deactivated: []string{"maria"}}, []string{"olga", "ben"}, 0},
		"to three at most":                   {staff{acted: []string{"ann", "ben", "olga", "tom"}, deactivated: []string{"maria"}}, []string{"tom", "olga", "ben"}, 0},
		"not to who is gone as well":         {staff{acted: []string{"ben", "olga"}, deactivated: []string{"maria", "ben"}}, []string{"olga"}, 0},
		"to operators when nobody else can":  {staff{acted: []string{"ben"}, deactivated: []string{"maria", "ben"}}, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ops := 0
			notify := takeoverOf(&tc.staff, func(context.Context, string) (bool, error) { ops++; return true, nil })
			for range 2 { // the requester is told of each news, the others of the offer
				require.True(t, notify(t))
			}
			require.Equal(t, tc.notified, tc.staff.notified)
			require.Equal(t, tc.ops, ops)
		})
	}
}

func TestAnOfferThatReachesNobodyIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := &staff{acted: []string{"ben"}, deactivated: []string{"maria"}, silent: true}
	notify := takeoverOf(s, nil)
	require.False(t, notify(t))
	s.silent = false
	require.True(t, notify(t))
	require.Equal(t, []string{"ben"}, s.notified)
}
