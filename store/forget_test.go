package store_test

import (
	"context"
	"encoding/json"
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
	"darkroom/store/storetest"
)

// lives fills Redis with what maria and ben did, with one order open and one that has shrunk.
func lives(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
	t.Helper()
	ctx := t.Context()
	brief := &order.Brief{
		By: "UMARIA", Instructions: []string{"marias brief"}, Service: order.ServiceBasic,
		Sources: []order.Source{{Name: "beach.jpg", File: "Fmarias", URL: "https://files.example/marias-link/beach.jpg", Instruction: "marias image"}},
	}
	for _, id := range []string{"open", "over", "bens"} {
		n := store.NewOrder{ID: id, Owner: owner, Reference: "REF" + id, Brief: brief, Order: order.Order{Status: order.StatusEditing, OrderedAt: noon}}
		if id == "bens" {
			n.Owner.Requester, n.Brief = "UBEN", &order.Brief{By: "UBEN", Instructions: []string{"as <@UMARIA> said"}}
		}
		_, err := s.Changes.AddOrder(ctx, n)
		require.NoError(t, err)
	}
	require.NoError(t, s.Changes.Intend(ctx, "over", order.Intent{Verb: order.VerbApprove, Actor: "UMARIA", Words: []string{"marias feedback"}, Job: "j1"}))
	over, err := s.Orders.Order(ctx, "over")
	require.NoError(t, err)
	_, events, err := s.Changes.RecordAnswer(ctx, "over", over.Version, order.Order{Status: order.StatusClosed, ClosedAt: noon}, "j1")
	require.NoError(t, err)
	require.Equal(t, "UMARIA", events[0].Actor)
	require.NoError(t, s.Changes.Intend(ctx, "open", order.Intent{Verb: order.VerbMessage, Actor: "UMARIA", Words: []string{"marias message"}, Job: "j2"}))
	require.NoError(t, s.Changes.NoteWaits(ctx, "bens", []store.Wait{{Verb: order.VerbApprove, Actor: "UMARIA"}}, time.Now().Add(time.Hour)))
	require.NoError(t, s.Drafts.SaveDraft(ctx, store.Draft{ID: "d1", Team: "T1", User: "UMARIA", State: store.DraftOpen, Instructions: []string{"marias draft"}}))
	require.NoError(t, s.Drafts.SaveDraft(ctx, store.Draft{ID: "d2", Team: "T1", User: "UBEN", State: store.DraftOpen, Instructions: []string{"bens draft"}}))
	require.NoError(t, s.Documents.PutPersonal(ctx, "UMARIA", "typed:1", "marias form", time.Hour))
	require.NoError(t, s.Documents.PutPersonal(ctx, "UBEN", "typed:2", "bens form, for <@UMARIA>", time.Hour))
	require.NoError(t, s.Documents.PutTTL(ctx, "relay:1", map[string]string{"author": "UMARIA", "text": "marias relay"}, time.Hour))
	require.NoError(t, s.Documents.PutTTL(ctx, "home:T1:UMARIA", map[string]int{"page": 2}, time.Hour))
	require.NoError(t, s.Documents.PutTTL(ctx, "relay:2", map[string]string{"author": "UMARIAN", "text": "another"}, time.Hour))
	// The announcements are out, so that nothing waits for them.
	for _, key := range storetest.Main(ctx, rdb).Keys(ctx, "{darkroom}:q:*").Val() {
		require.NoError(t, rdb.Del(ctx, key).Err())
	}
}

// everything is each key of Redis with its value, the members of sets and streams as well.
func everything(t *testing.T, rdb redis.UniversalClient) string {
	t.Helper()
	ctx, all := context.Background(), ""
	for _, key := range storetest.Main(ctx, rdb).Keys(ctx, "*").Val() {
		var value any
		switch rdb.Type(ctx, key).Val() {
		case "set":
			value = rdb.SMembers(ctx, key).Val()
		case "stream":
			value = rdb.XRange(ctx, key, "-", "+").Val()
		default:
			value = dumpOne(t, rdb, key)
		}
		all += fmt.Sprintln(key, value)
	}
	return all
}

func dumpOne(t *testing.T, rdb redis.UniversalClient, key string) string {
	t.Helper()
	return dump(t, rdb)[key]
}

func TestForgottenNothingOfAPersonIsLeftAndAllOfOthers(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		lives(t, s, rdb)
		before := everything(t, rdb)
		for _, words := range []string{"brief", "image", "feedback", "message", "draft", "form", "relay"} {
			require.Contains(t, before, "marias "+words)
		}
		looked, err := retention.NewPeople(s).Forget(t.Context(), "UMARIA", true)
		require.NoError(t, err)
		require.ElementsMatch(t, strings.Split(before, "\n"), strings.Split(everything(t, rdb), "\n"), "a look writes nothing")

		done, err := retention.NewPeople(s).Forget(t.Context(), "UMARIA", false)
		require.NoError(t, err)
		require.Equal(t, retention.Forgotten{Drafts: 1, Documents: 3, Orders: 3, Requested: 2, Actions: 3}, done)
		require.Equal(t, looked, done, "the look had told so")

		now := everything(t, rdb)
		require.NotContains(t, now, "marias")
		require.Equal(t, 1, strings.Count(strings.ReplaceAll(now, "UMARIAN", ""), "UMARIA"), "only in what ben typed, for a week: %s", now)
		for _, stays := range []string{"bens draft", "bens form", "another", "REFopen", "beach.jpg", "UBEN"} {
			require.Contains(t, now, stays)
		}
		again, err := retention.NewPeople(s).Forget(t.Context(), "UMARIA", false)
		require.NoError(t, err)
		require.Zero(t, again, "there is nothing left to do")
	})
}

func TestTheOrdersOfWhoWasForgottenGoOn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		lives(t, s, rdb)
		before, err := s.Orders.Order(t.Context(), "open")
		require.NoError(t, err)
		_, err = retention.NewPeople(s).Forget(t.Context(), "UMARIA", false)
		require.NoError(t, err)

		now, err := s.Orders.Order(t.Context(), "open")
		require.NoError(t, err)
		assert.Equal(t, order.FormerPerson, now.Owner.Requester)
		assert.Nil(t, now.Intent)
		assert.Equal(t, 1, now.Brief.Edited(), "what was ordered is still known")
		assert.Positive(t, rdb.Exists(t.Context(), "{darkroom}:q:lane:channel:T1:C1").Val(), "its card is edited")
		_, _, err = s.Changes.Record(t.Context(), "open", before.Version, order.Order{Status: order.StatusPaused})
		require.ErrorIs(t, err, store.ErrStale, "who read it before cannot write their name back")
		_, events := record(t, s, "open", order.Order{Status: order.StatusPaused})
		assert.Len(t, events, 1)

		bens, err := s.Orders.Order(t.Context(), "bens")
		require.NoError(t, err)
		assert.Equal(t, "UBEN", bens.Owner.Requester)
		assert.Equal(t, []string{"as " + order.FormerPerson + " said"}, bens.Brief.Instructions)
	})
}

// The version before this one reads what is written: every document has the fields it had.
func TestWhatForgettingWritesHasTheShapeItHad(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		lives(t, s, rdb)
		_, err := retention.NewPeople(s).Forget(t.Context(), "UMARIA", false)
		require.NoError(t, err)
		strictly := func(doc string, into any) {
			d := json.NewDecoder(strings.NewReader(doc))
			d.DisallowUnknownFields()
			require.NoError(t, d.Decode(into), doc)
		}
		for _, id := range []string{"open", "over", "bens"} {
			h := rdb.HGetAll(t.Context(), "{darkroom}:order:"+id).Val()
			strictly(h["order_brief"], new(order.Brief))
			for _, doc := range rdb.LRange(t.Context(), "{darkroom}:events:"+id, 0, -1).Val() {
				strictly(doc, new(order.Event))
			}
		}
		strictly(rdb.HGet(t.Context(), "{darkroom}:order:bens", "waits").Val(), &[]store.Wait{})
		strictly(rdb.HGet(t.Context(), "{darkroom}:active", "open").Val(), new(store.Active))
	})
}

func TestNobodyIsForgottenWhileSomethingOfTheirsIsNotSettled(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		lives(t, s, rdb)
		q := queue.New(rdb, queue.Options{})
		_, err := q.Put(t.Context(), queue.Job{ID: "approve:1", Lane: "order:open", Kind: "approve", Body: []byte(`{"user":"UMARIA"}`)})
		require.NoError(t, err)
		_, err = q.Put(t.Context(), queue.Job{ID: "approve:2", Lane: "order:bens", Kind: "approve", Body: []byte(`{"user":"UBEN"}`)})
		require.NoError(t, err)
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), store.Draft{
			ID: "d3", Team: "T1", User: "UMARIA", State: store.DraftUnknown, Reference: "K7Q2XM", SubmittedAt: time.Now(),
		}))
		for draft, of := range map[string]string{"given-up": "UMARIA", "bens": "UBEN"} { // may turn up still: see jobs/watch.go
			require.NoError(t, s.Drafts.SaveDraft(t.Context(), store.Draft{ID: draft, Team: "T1", User: of, State: store.DraftDiscarded, Reference: "W8" + of, SentAt: time.Now()}))
			_, err = q.PutAfter(t.Context(), queue.Job{ID: "watch:" + draft, Lane: "watch:" + draft, Kind: "watch", Body: []byte(`{"draft":"` + draft + `","step":1}`)}, time.Hour)
			require.NoError(t, err)
		}
		before := everything(t, rdb)
		found, err := retention.NewPeople(s).Forget(t.Context(), "UMARIA", false)
		require.ErrorIs(t, err, retention.ErrUnsettled)
		var jobs []string
		for _, m := range found.Unsettled {
			jobs = append(jobs, m.ID)
		}
		require.ElementsMatch(t, []string{"approve:1", "watch:given-up"}, jobs)
		require.Len(t, found.UnsettledDrafts, 1)
		require.Equal(t, "K7Q2XM", found.UnsettledDrafts[0].Reference)
		require.ElementsMatch(t, strings.Split(before, "\n"), strings.Split(everything(t, rdb), "\n"))
	})
}

func TestOnlyAUserIsForgotten(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		for _, id := range []string{"", "*", "U*", "maria", "C0SHOOTS", "U", "U1 U2", "U012[A-Z]"} {
			_, err := retention.NewPeople(s).Forget(t.Context(), id, true)
			require.ErrorContains(t, err, "is no user id", id)
		}
	})
}

// Who saved settings is forgotten. Who is named in them stays: without its last approver a channel would let everybody approve.
func TestWhoSavedSettingsIsForgotten(t *testing.T) {
	t.Parallel()
	s := newStore(storetest.Client(t))
	saver := store.Saver{By: "UMARIA", At: noon}
	require.NoError(t, s.Settings.EditSettings(t.Context(), store.SettingsEdit{Team: "T1", Channel: "C1"}, func(now *store.Settings, all *store.Account) error {
		now.Decides.Approvers, now.Saved.Orders, all.Saved = []string{"UMARIA"}, saver, saver
		now.Saved.Messages = store.Saver{By: "UBEN", At: noon}
		return nil
	}))
	_, err := retention.NewPeople(s).Forget(t.Context(), "UMARIA", true)
	require.NoError(t, err)
	now, err := s.Settings.Of(t.Context(), "T1", "C1")
	require.NoError(t, err)
	require.Equal(t, "UMARIA", now.Saved.Orders.By, "it only looked")
	_, err = retention.NewPeople(s).Forget(t.Context(), "UMARIA", false)
	require.NoError(t, err)
	now, err = s.Settings.Of(t.Context(), "T1", "C1")
	require.NoError(t, err)
	require.Equal(t, order.FormerPerson, now.Saved.Orders.By)
	require.Equal(t, "UBEN", now.Saved.Messages.By)
	require.Equal(t, []string{"UMARIA"}, now.Decides.Approvers)
	account, err := s.Settings.Account(t.Context(), "T1")
	require.NoError(t, err)
	require.Equal(t, order.FormerPerson, account.Saved.By)
}
