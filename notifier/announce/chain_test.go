package announce_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
)

// jobNamed delivers an announcement job with the given id.
func (r *rig) jobNamed(t *testing.T, id string) error {
	t.Helper()
	d := delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 1}, shoots)
	d.ID = id
	return handler(announce.New(r.config), store.AnnounceKind)(t.Context(), d)
}

// chained delivers the latest delayed job.
func (r *rig) chained(t *testing.T) error {
	t.Helper()
	d := &queue.Delivery{Job: r.put.jobs[len(r.put.jobs)-1]}
	return handler(announce.New(r.config), store.AnnounceKind)(t.Context(), d)
}

func TestOneChainWaitsForAChannelHoweverOftenItIsInTrouble(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.w.Archive("shoots")
	r.happens(t, order.StatusReviewing, 0)
	for i := range 3 {
		require.NoError(t, r.jobNamed(t, fmt.Sprint("change", i)))
	}
	require.Len(t, r.put.jobs, 1, "the others leave the waiting to the first")
	require.NoError(t, r.chained(t))
	require.NoError(t, r.jobNamed(t, "sweep"))
	require.Len(t, r.put.jobs, 2)

	// The channel is back, and only the card needed an update: the watermark stays.
	r.w.Unarchive("shoots")
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	require.NoError(t, r.Announcements.EventPosted(t.Context(), orderID, 1, store.Posted{Event: tracked.LastEvent, ID: "ready:r0", TS: ""}))
	require.NoError(t, r.chained(t))
	require.Len(t, r.put.jobs, 2)
	r.w.Archive("shoots")
	_, _, err = r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{ProjectName: "Smith wedding, again [K7Q2XM]"})
	require.NoError(t, err)
	require.NoError(t, r.jobNamed(t, "change again"))
	require.Len(t, r.put.jobs, 3, "new trouble, new chain")
	r.w.Unarchive("shoots")
	require.NoError(t, r.chained(t))
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), "again")
}

func TestTroubleWithoutNewsSinceTheLastOneIsWaitedOutToo(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	for i := range 2 {
		r.w.Archive("shoots")
		tracked, err := r.Orders.Order(t.Context(), orderID)
		require.NoError(t, err)
		_, _, err = r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{ProjectName: fmt.Sprint("name ", i)})
		require.NoError(t, err)
		require.NoError(t, r.jobNamed(t, fmt.Sprint("change", i)))
		require.Len(t, r.put.jobs, i+1, "a job for later each time")
		r.w.Unarchive("shoots")
		require.NoError(t, r.chained(t))
		require.Contains(t, shown(t, r.reply(t, shoots, "card")), fmt.Sprint("name ", i))
	}
}

func TestAChannelThatNobodyMendsIsTriedRarely(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, studioCh)
	delays := r.unreachable(t, 31)
	require.Equal(t, 2*time.Minute, delays[29])
	require.Equal(t, 15*time.Minute, delays[30])
}

func TestAnOrderThatLeftAChannelOutOfReachIsNobodysTrouble(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.w.Archive("shoots")
	_, err := r.Changes.Untrack(t.Context(), orderID, "U0BEN")
	require.NoError(t, err)
	require.NoError(t, r.try(t))
	require.Empty(t, r.put.jobs)
	require.Empty(t, r.w.DMs("maria"), "there is nothing she could do")
	lagging, err := r.Announcements.Unannounced(t.Context())
	require.NoError(t, err)
	require.Empty(t, lagging)
}

// An ended order is not kept forever because its channel was archived first.
func TestAnOrderThatHasEndedWaitsThreeMonthsForAChannelOutOfReach(t *testing.T) {
	t.Parallel()
	for status, most := range map[order.Status]int{order.StatusClosed: 0, order.StatusReviewing: 1} {
		r := newRig(t, workspace.Options{})
		r.place(t, shoots)
		r.announce(t)
		r.happens(t, status, 0)
		r.w.Archive("shoots")
		for _, days := range []int{89, 91} {
			waits := 1
			if days > 90 {
				waits = most
			}
			var job store.AnnounceJob
			require.NoError(t, json.Unmarshal(r.job.Body, &job))
			job.Reach = days * 24 * 4
			body, err := json.Marshal(job)
			require.NoError(t, err)
			r.job.Body, r.job.State = body, nil
			before := len(r.put.jobs)
			require.NoError(t, r.try(t))
			require.Len(t, r.put.jobs, before+waits, "%s, %d days", status, days)
		}
		lagging, err := r.Announcements.Unannounced(t.Context())
		require.NoError(t, err)
		require.Len(t, lagging, most, status)
	}
}

// mute is a Slack that answers everything but edits.
type mute struct{ whole }

func (m *mute) Edit(context.Context, string, client.Post) error {
	return fmt.Errorf("chat.update: %w", client.ErrTryLater)
}

func TestAnOutageOfSlackCostsNoWords(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.ordered = time.Now()
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0)
	r.w.Misbehave("chat.update", workspace.Fails("internal_error"), 70)
	r.w.Misbehave("auth.test", workspace.Fails("internal_error"), 70)
	for range 70 {
		require.Error(t, r.try(t))
	}
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), "order:review", "the card is whole")
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), "Ready for review")
}

func TestAnEditThatSlackNeverAnswersIsTriedOnceMoreLater(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0)
	r.config.Slack = &mute{whole: r.slack}
	tries := 0
	for r.try(t) != nil {
		tries++
		require.LessOrEqual(t, tries, 6, "the channel's other orders wait half a minute at most")
	}
	require.Len(t, r.put.jobs, 2, "one behind an edit that may come late, and one for later")
	r.job.State, r.config.Slack = nil, r.slack
	require.NoError(t, r.chained(t))
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), "Ready for review")
}

func TestAPostThatNobodyRecordedIsTidiedAtTheOldPlace(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]string{"the card": "card", "a reply": "ready:r0"} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			if lost != "card" {
				r.announce(t)
			}
			r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg"})
			r.w.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
			require.Error(t, r.try(t), "the post is out, and its answer lost")
			old := r.w.Messages(shoots)[0]
			require.Positive(t, buttons(old))

			_, err := r.Changes.Move(t.Context(), orderID, weddings, "U0BEN")
			require.NoError(t, err)
			r.works(t)
			require.Positive(t, len(r.w.Thread(shoots, old.TS)))
			for _, m := range r.w.Thread(shoots, old.TS) {
				require.Zero(t, buttons(m), eventOf(m))
			}
			require.Contains(t, shown(t, r.w.Thread(shoots, old.TS)[0]), "no longer tracks")
		})
	}
}

func TestAnOldCardInAChannelThatHasTheOrderAgainSaysSo(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	first, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	_, err = r.Changes.Untrack(t.Context(), orderID, "U0BEN")
	require.NoError(t, err)
	r.works(t)
	_, err = r.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: orderID, Adopted: true, Order: first.Order,
		Owner: store.Owner{Team: "T0SANDBOX", Channel: shoots, Requester: "U0BEN"},
	})
	require.NoError(t, err)
	r.works(t)
	old := shown(t, r.w.Thread(shoots, first.CardTS)[0])
	require.NotContains(t, old, "no longer tracks", "it does")
	require.Contains(t, old, "newer card")
}

// closed is a Slack without edits of messages.
type closed struct {
	whole
	until int
}

func (c *closed) Edit(ctx context.Context, ts string, p client.Post) error {
	if c.until--; c.until >= 0 {
		return fmt.Errorf("chat.update: %w", client.ErrNotEditable)
	}
	return c.whole.Edit(ctx, ts, p)
}

func TestACardThatCannotBeEditedDoesNotKeepItsRepliesButtons(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	old, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	_, err = r.Changes.Move(t.Context(), orderID, weddings, "U0BEN")
	require.NoError(t, err)
	r.config.Slack = &closed{whole: r.slack, until: 1}
	job, err := json.Marshal(store.LeaveJob{Order: orderID, Team: "T0SANDBOX", Channel: shoots, Generation: 1, CardTS: old.CardTS, Replies: old.Thread})
	require.NoError(t, err)
	d := &queue.Delivery{Job: queue.Job{ID: "leave", Lane: "channel:T0SANDBOX:" + shoots, Kind: store.LeaveKind, Body: job}}
	require.NoError(t, handler(announce.New(r.config), store.LeaveKind)(t.Context(), d))
	thread := r.w.Thread(shoots, old.CardTS)
	require.Zero(t, buttons(thread[len(thread)-1]))
}

func TestAReviewThatWasPausedWaitsAgainWithItsCopies(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.Pictures = &previewSource{}
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg", Thumb: "http://127.0.0.1:1/1.png"})
	r.announce(t)
	r.previews(t)
	require.Equal(t, 2, strings.Count(shown(t, r.reply(t, shoots, "ready:r0")), `"slack_file"`), "in the sheet, and for older clients")
	r.happens(t, order.StatusPaused, 0)
	r.announce(t)
	said := r.reply(t, shoots, "ready:r0")
	require.Zero(t, buttons(said))
	require.NotContains(t, shown(t, said), `"slack_file"`)
	r.becomes(t, order.StatusReviewing, 0)
	r.announce(t)
	said = r.reply(t, shoots, "ready:r0")
	require.Positive(t, buttons(said), "it can be judged again")
	require.Equal(t, 2, strings.Count(shown(t, said), `"slack_file"`), "and seen")
}

func TestAJobThatComesBeforeTheCancelTimeIsOverComesAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.ordered = time.Now()
	r.place(t, shoots)
	r.announce(t)
	require.Len(t, r.put.jobs, 1)
	require.NoError(t, r.chained(t), "by this replica's clock it is not over yet")
	require.Len(t, r.put.jobs, 2)
	require.NotEqual(t, r.put.jobs[0].ID, r.put.jobs[1].ID)

	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	_, _, err = r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{OrderedAt: tracked.Order.OrderedAt.Add(5e9)})
	require.NoError(t, err)
	r.announce(t)
	require.Len(t, r.put.jobs, 3, "the service corrected when it was ordered")
}
