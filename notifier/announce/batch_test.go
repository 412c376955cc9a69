package announce_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
)

const batchID = "b1"

// placeBatch places a batch of n orders, ord1 and so on.
func (r *rig) placeBatch(t *testing.T, n int) {
	t.Helper()
	run, err := r.Server.Run(t.Context())
	require.NoError(t, err)
	b := store.OrderBatch{ID: batchID, Team: "T0SANDBOX", User: "U0MARIA", Channel: shoots, Name: "spring.csv", Run: run.ID, Opened: time.Now()}
	for i := range n {
		b.Rows = append(b.Rows, order.BatchRow{Line: i + 2, Name: fmt.Sprint("Shoot ", i+1), Images: []string{"https://example.com/a.jpg"}})
	}
	require.NoError(t, r.BatchCards.Begin(t.Context(), b))
	for i := range n {
		zero, id := 0, fmt.Sprint("ord", i+1)
		_, err := r.Changes.AddOrder(t.Context(), store.NewOrder{
			ID: id, Reference: fmt.Sprintf("K7Q2X%d", i), Images: 1, Batch: batchID,
			Owner: store.Owner{Team: "T0SANDBOX", Channel: shoots, Requester: "U0MARIA"},
			Order: order.Order{ID: id, ProjectName: fmt.Sprintf("Shoot %d [K7Q2X%d]", i+1, i), Status: order.StatusEditing, Revision: &zero, OrderedAt: time.Now().Add(time.Duration(i)*time.Second - order.CancelWindow)},
		})
		require.NoError(t, err)
	}
}

// orderBecomes records a status of an order, and announces it.
func (r *rig) orderBecomes(t *testing.T, id string, status order.Status, revision int) {
	t.Helper()
	tracked, err := r.Orders.Order(t.Context(), id)
	require.NoError(t, err)
	_, events, err := r.Changes.Record(t.Context(), id, tracked.Version, order.Order{ID: id, Status: status, Revision: &revision})
	require.NoError(t, err)
	require.NotEmpty(t, events)
	r.announcesOrder(t, id)
}

// announcesOrder announces an order, however often Slack fails.
func (r *rig) announcesOrder(t *testing.T, id string) {
	t.Helper()
	tracked, err := r.Orders.Order(t.Context(), id)
	require.NoError(t, err)
	r.finishes(t, delivery(store.AnnounceKind, store.AnnounceJob{Order: id, Generation: tracked.Owner.Generation}, tracked.Owner.Channel))
}

// updatesBatch updates the batch, however often Slack fails.
func (r *rig) updatesBatch(t *testing.T) {
	t.Helper()
	r.finishes(t, delivery(store.BatchKind, store.BatchJob{Batch: batchID}, shoots))
}

// batchCard returns the recorded card.
func (r *rig) batchCard(t *testing.T) store.BatchCard {
	t.Helper()
	c, err := r.BatchCards.Card(t.Context(), batchID)
	require.NoError(t, err)
	return c
}

// kinds returns the types of the messages in the channel itself, in their order.
func (r *rig) kinds(channel string) (all []string) {
	for _, m := range r.w.Messages(channel) {
		all = append(all, fmt.Sprint(m.Metadata["event_type"]))
	}
	return all
}

// inBatch returns "order event" of the replies to a batch's card.
func (r *rig) inBatch(root string) (all []string) {
	for _, m := range r.w.Thread(shoots, root) {
		payload, _ := m.Metadata["event_payload"].(map[string]any)
		if payload["order_id"] != nil {
			all = append(all, fmt.Sprint(payload["order_id"], " ", payload["event"]))
		}
	}
	return all
}

const (
	typeCard       = "darkroom_batch_card"
	typeDeliveries = "darkroom_deliveries"
)

func TestABatchIsOneCardWithItsOrdersInTheThread(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.placeBatch(t, 3)
	r.updatesBatch(t)
	require.Equal(t, []string{typeCard}, r.kinds(shoots))
	for _, id := range []string{"ord1", "ord2", "ord3"} {
		r.announcesOrder(t, id)
	}
	r.updatesBatch(t)
	card := r.w.Messages(shoots)[0]
	require.Contains(t, shown(t, card), "*3 orders* · 3 being edited")
	require.Equal(t, []string{typeCard}, r.kinds(shoots), "the cards of the orders are in the thread")
	require.Equal(t, []string{"ord1 card", "ord1 placed", "ord2 card", "ord2 placed", "ord3 card", "ord3 placed"}, r.inBatch(card.TS))

	for _, id := range []string{"ord1", "ord2", "ord3"} {
		r.orderBecomes(t, id, order.StatusReviewing, 0)
	}
	r.updatesBatch(t)
	require.Equal(t, []string{typeCard, typeDeliveries}, r.kinds(shoots), "one message tells of all deliveries")
	told := r.w.Messages(shoots)[1]
	require.True(t, strings.HasPrefix(told.Text, "Ready for review: *3 orders*"), told.Text)
	require.Equal(t, 1, strings.Count(told.Text, "<@U0MARIA>"))
	require.Equal(t, 3, strings.Count(told.Text, "?thread_ts="+card.TS), "each has a link to its review")
	for _, m := range r.w.Thread(shoots, card.TS) {
		if payload, _ := m.Metadata["event_payload"].(map[string]any); payload["event"] == "ready:r0" {
			require.NotContains(t, m.Text, "<@U0MARIA>", "nobody is called once more for each order")
		}
	}
	require.Contains(t, shown(t, r.w.Messages(shoots)[0]), "3 ready for review")

	r.orderBecomes(t, "ord2", order.StatusClosed, 0)
	r.updatesBatch(t)
	told = r.w.Messages(shoots)[1]
	require.Contains(t, shown(t, told), "Shoot 2 · approved")
	require.Contains(t, shown(t, told), "2 orders wait for a decision")
	require.Contains(t, shown(t, r.w.Messages(shoots)[0]), "2 ready for review · 1 approved")
	require.Empty(t, r.w.Violations())
}

// An order may be announced before the batch's own job runs, or after that has failed.
func TestTheFirstOrderOfABatchPostsItsCard(t *testing.T) {
	t.Parallel()
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, workspace.Options{})
			r.placeBatch(t, 2)
			r.w.Misbehave("chat.postMessage", fault, 1)
			r.announcesOrder(t, "ord2")
			r.updatesBatch(t)
			r.announcesOrder(t, "ord1")
			r.finishes(t, delivery(store.BatchKind, store.BatchJob{Batch: batchID, Doubles: time.Now().Add(-time.Minute)}, shoots))
			require.Equal(t, []string{typeCard}, r.kinds(shoots))
			require.ElementsMatch(t, []string{"ord2 card", "ord2 placed", "ord1 card", "ord1 placed"}, r.inBatch(r.batchCard(t).TS))
		})
	}
}

func TestDeliveriesAreToldOnceWhateverSlackAnswers(t *testing.T) {
	t.Parallel()
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, workspace.Options{})
			r.placeBatch(t, 2)
			r.announcesOrder(t, "ord1")
			r.announcesOrder(t, "ord2")
			r.orderBecomes(t, "ord1", order.StatusReviewing, 0)
			r.w.Misbehave("chat.postMessage", fault, 1)
			r.updatesBatch(t)
			r.updatesBatch(t)
			require.Equal(t, []string{typeCard, typeDeliveries}, r.kinds(shoots))
			r.orderBecomes(t, "ord2", order.StatusReviewing, 0)
			r.updatesBatch(t)
			require.Equal(t, []string{typeCard, typeDeliveries}, r.kinds(shoots), "it is edited")
			require.Contains(t, r.w.Messages(shoots)[1].Text, "*2 orders*")
		})
	}
}

func TestADeliveryMuchLaterIsAnotherMessage(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.placeBatch(t, 3)
	for _, id := range []string{"ord1", "ord2", "ord3"} {
		r.announcesOrder(t, id)
	}
	r.orderBecomes(t, "ord1", order.StatusReviewing, 0)
	r.updatesBatch(t)
	told := r.batchCard(t).Deliveries
	told.Messages[0].At = told.Messages[0].At.Add(-6 * time.Minute)
	require.NoError(t, r.BatchCards.SaveDeliveries(t.Context(), batchID, told))
	r.orderBecomes(t, "ord2", order.StatusReviewing, 0)
	r.updatesBatch(t)
	require.Equal(t, []string{typeCard, typeDeliveries, typeDeliveries}, r.kinds(shoots))
	require.Contains(t, r.w.Messages(shoots)[1].Text, "*1 order*")
	require.Contains(t, r.w.Messages(shoots)[2].Text, "*1 order*")
	r.orderBecomes(t, "ord1", order.StatusRevising, 0)
	r.updatesBatch(t)
	require.Contains(t, shown(t, r.w.Messages(shoots)[1]), "Shoot 1 · changes requested", "the earlier message stays current")
	r.updatesBatch(t)
	require.Len(t, r.batchCard(t).Deliveries.Messages, 1, "what is decided is dropped")
}

func TestDeliveriesOfABatchObeyNews(t *testing.T) {
	t.Parallel()
	for news, called := range map[store.News]bool{store.NewsThread: true, store.NewsDirect: false} {
		r := newRig(t, workspace.Options{})
		settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{News: news})
		r.placeBatch(t, 2)
		r.announcesOrder(t, "ord1")
		r.announcesOrder(t, "ord2")
		r.orderBecomes(t, "ord1", order.StatusReviewing, 0)
		r.updatesBatch(t)
		require.Equal(t, []string{typeCard}, r.kinds(shoots), "nothing is sent to the channel as well")
		thread := r.w.Thread(shoots, r.batchCard(t).TS)
		require.Equal(t, called, strings.Contains(thread[len(thread)-1].Text, "<@U0MARIA>"), news)
	}
}

// Where updates go to who ordered, one direct message tells of the deliveries that came together, whatever Slack answers.
func TestWhoOrderedABatchGetsOneDirectMessage(t *testing.T) {
	t.Parallel()
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, workspace.Options{})
			r.config.Access = sight{"U0MARIA": true}
			settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{News: store.NewsDirect})
			r.placeBatch(t, 2)
			for _, id := range []string{"ord1", "ord2"} {
				r.announcesOrder(t, id)
			}
			for _, id := range []string{"ord1", "ord2"} {
				r.orderBecomes(t, id, order.StatusReviewing, 0)
			}
			r.updatesBatch(t)
			r.updatesBatch(t)
			require.Empty(t, r.newsJobs(), "no message for each order")
			var jobs []*queue.Delivery
			for _, j := range r.put.jobs {
				if j.Kind == announce.BatchNewsKind {
					jobs = append(jobs, &queue.Delivery{Job: j, PutAt: time.Now(), Deliveries: 1})
				}
			}
			require.Len(t, jobs, 1)
			r.w.Misbehave("chat.postMessage", fault, 1)
			r.finishes(t, jobs[0])
			require.Equal(t, []string{"Ready for review"}, r.toldTo("maria"))
		})
	}
}

// Only the newest messages are kept current. What an older one told is not told again.
func TestADeliveryThatWasToldLongAgoIsNotToldAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.placeBatch(t, 1)
	r.announcesOrder(t, "ord1")
	r.orderBecomes(t, "ord1", order.StatusReviewing, 0)
	r.updatesBatch(t)
	told := r.batchCard(t).Deliveries
	for i := range 20 {
		told.Messages = append(told.Messages, store.DeliveryMessage{Number: i + 2, TS: fmt.Sprint("9.", i), At: told.Messages[0].At, Shown: "x", Orders: []store.Delivery{{Order: fmt.Sprint("other", i)}}})
	}
	require.NoError(t, r.BatchCards.SaveDeliveries(t.Context(), batchID, told))
	for range 3 {
		r.updatesBatch(t)
	}
	require.Equal(t, []string{typeCard, typeDeliveries}, r.kinds(shoots))
}

// A delivery waits a moment for others of its batch whose reviews are not posted yet.
func TestADeliveryWaitsForThoseThatAreBeingAnnounced(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.placeBatch(t, 2)
	r.announcesOrder(t, "ord1")
	r.announcesOrder(t, "ord2")
	tracked, err := r.Orders.Order(t.Context(), "ord2")
	require.NoError(t, err)
	zero := 0
	_, _, err = r.Changes.Record(t.Context(), "ord2", tracked.Version, order.Order{ID: "ord2", Status: order.StatusReviewing, Revision: &zero})
	require.NoError(t, err)
	r.orderBecomes(t, "ord1", order.StatusReviewing, 0)
	r.updatesBatch(t)
	require.Equal(t, []string{typeCard}, r.kinds(shoots))
	r.announcesOrder(t, "ord2")
	r.updatesBatch(t)
	require.Contains(t, r.w.Messages(shoots)[1].Text, "*2 orders*")
}

func TestADeletedBatchCardIsPostedAgainOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.placeBatch(t, 2)
	r.announcesOrder(t, "ord1")
	r.announcesOrder(t, "ord2")
	was := r.batchCard(t).TS
	r.w.DeleteMessage(shoots, was)
	require.NoError(t, r.BatchCards.CardDeleted(t.Context(), batchID, was))
	for range 2 {
		r.finishes(t, delivery(store.BatchKind, store.BatchJob{Batch: batchID, Refresh: true}, shoots))
	}
	now := r.batchCard(t).TS
	require.NotEqual(t, was, now)
	require.Equal(t, 1, strings.Count(strings.Join(r.kinds(shoots), " "), typeCard))
	r.orderBecomes(t, "ord1", order.StatusReviewing, 0)
	require.Equal(t, []string{"ord1 ready:r0"}, r.inBatch(now), "news goes to the thread that is there")
}

func TestAnOrderThatMovesLeavesItsBatch(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.placeBatch(t, 2)
	r.announcesOrder(t, "ord1")
	r.announcesOrder(t, "ord2")
	old, err := r.Orders.Order(t.Context(), "ord1")
	require.NoError(t, err)
	_, err = r.Changes.Move(t.Context(), "ord1", weddings, "U0ANN")
	require.NoError(t, err)
	r.announcesOrder(t, "ord1")
	require.Equal(t, []string{"darkroom_order"}, r.kinds(weddings), "it has its own card there")
	leaves := store.LeaveJob{Order: "ord1", Team: "T0SANDBOX", Channel: shoots, Generation: 1, CardTS: old.CardTS, Root: old.Root, Batch: batchID}
	r.finishes(t, delivery(store.LeaveKind, leaves, shoots))
	r.updatesBatch(t)
	require.Contains(t, shown(t, r.w.Messages(shoots)[0]), "*2 orders* · 1 being edited · 1 no longer in this channel")
	for _, m := range r.w.Thread(shoots, r.batchCard(t).TS) {
		if payload, _ := m.Metadata["event_payload"].(map[string]any); payload["order_id"] == "ord1" && payload["event"] == "card" {
			require.Contains(t, shown(t, m), "This channel no longer")
		}
	}
	_, err = r.Changes.Untrack(t.Context(), "ord2", "U0ANN")
	require.NoError(t, err)
	r.announcesOrder(t, "ord2")
	r.updatesBatch(t)
	require.True(t, slices.ContainsFunc(r.inBatch(r.batchCard(t).TS), func(s string) bool { return strings.HasPrefix(s, "ord2 untracked") }), "its last word is in the thread")
	require.Contains(t, shown(t, r.w.Messages(shoots)[0]), "2 no longer in this channel")
}

func TestARestoredRedisPostsNoSecondBatchCard(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.placeBatch(t, 2)
	restore := r.backup(t)
	r.announcesOrder(t, "ord1")
	r.announcesOrder(t, "ord2")
	r.orderBecomes(t, "ord1", order.StatusReviewing, 0)
	r.updatesBatch(t)
	restore()
	r.announcesOrder(t, "ord1")
	r.orderBecomes(t, "ord1", order.StatusReviewing, 0)
	r.updatesBatch(t)
	require.Equal(t, []string{typeCard, typeDeliveries}, r.kinds(shoots))
	require.Equal(t, []string{"ord1 card", "ord1 placed", "ord2 card", "ord2 placed", "ord1 ready:r0"}, r.inBatch(r.batchCard(t).TS))
}
