package announce_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
)

const (
	shoots   = "C0SHOOTS"
	weddings = "C0WEDDINGS"
	studioCh = "C0STUDIO"

	waitLimit = 30 * time.Second
	waitTick  = 5 * time.Millisecond
)

func TestAnOrderIsOneCardAndAReplyForEachEvent(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	require.Equal(t, []string{"card"}, r.channelOnly(shoots))
	require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots))

	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	require.Equal(t, []string{"card", "ready:r0"}, r.channelOnly(shoots), "only ready is also sent to the channel")
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
	require.Zero(t, buttons(r.reply(t, shoots, "card")), "the buttons stand in one place")
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), cards.ActionReview)
	require.Equal(t, 2, buttons(r.reply(t, shoots, "ready:r0")))
	require.Empty(t, r.w.Violations())
}

func TestAnnouncingAgainSaysNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	before := len(r.w.Requests())
	r.announce(t)
	require.Len(t, r.w.Requests(), before)
}

func TestSeveralEventsCostOneEditOfTheCard(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0)
	r.happens(t, order.StatusClosed, 0)
	before := len(r.w.Requests())
	r.announce(t)
	var calls []string
	for _, c := range r.w.Requests()[before:] {
		calls = append(calls, c.Method)
	}
	require.Equal(t, []string{"chat.update", "chat.postMessage", "chat.postMessage"}, calls)
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")), "superseded before it was posted")
}

func TestSupersededButtonsGo(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	require.Equal(t, 2, buttons(r.reply(t, shoots, "ready:r0")))
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
	require.Zero(t, buttons(r.reply(t, shoots, "card")))
	before := len(r.w.Requests())
	r.announce(t)
	require.Len(t, r.w.Requests(), before, "they are removed once")
}

func TestADeletedReplyNeedsNoSettling(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.w.DeleteMessage(shoots, r.reply(t, shoots, "ready:r0").TS)
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	require.Contains(t, r.thread(t, shoots), "approved")
}

func TestADeletedCardIsPostedAnewBeforeAnyReply(t *testing.T) {
	t.Parallel()
	for name, replies := range map[string]bool{"with replies": true, "alone": false} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			r.announce(t)
			old, err := r.Orders.Order(t.Context(), orderID)
			require.NoError(t, err)
			if !replies {
				r.w.DeleteMessage(shoots, r.reply(t, shoots, "placed").TS)
			}
			r.w.DeleteMessage(shoots, old.CardTS)
			r.happens(t, order.StatusReviewing, 0)
			r.announce(t)
			now, err := r.Orders.Order(t.Context(), orderID)
			require.NoError(t, err)
			require.NotEqual(t, old.CardTS, now.CardTS)
			require.Equal(t, []string{"card", "ready:r0"}, r.thread(t, shoots))
		})
	}
}

// faults are the ways a post can go wrong.
var faults = map[string]workspace.Fault{
	"500 before":          workspace.Error500,
	"500 after":           workspace.Error500After,
	"reset before":        workspace.ResetBefore,
	"reset after":         workspace.ResetAfter,
	"html":                workspace.HTML,
	"internal error":      workspace.Fails("internal_error"),
	"fatal error after":   workspace.FailsAfter("fatal_error"),
	"service unavailable": workspace.Fails("service_unavailable"),
	"ratelimited":         workspace.Fails("ratelimited"),
}

func TestWhateverSlackAnswersEachMessageIsOutOnceAndInOrder(t *testing.T) {
	t.Parallel()
	for name, fault := range faults {
		for position := range 3 { // the card, the first reply, the second
			for _, method := range []string{"chat.postMessage", "conversations.replies", "conversations.history"} {
				t.Run(name+" of "+method, func(t *testing.T) {
					r := newRig(t, workspace.Options{})
					r.place(t, shoots)
					r.happens(t, order.StatusReviewing, 0)
					r.w.Misbehave("chat.postMessage", workspace.Fault{}, position)
					r.w.Misbehave("chat.postMessage", fault, 2)
					r.w.Misbehave(method, fault, 1)
					r.announce(t)
					require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
					require.Equal(t, []string{"card", "ready:r0"}, r.channelOnly(shoots))
				})
			}
		}
	}
}

func TestAnUnknownOutcomeIsReadAfterTheDeadline(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.OutcomeAfter = time.Hour
	r.place(t, shoots)
	r.w.Misbehave("chat.postMessage", workspace.Error500After, 1)
	require.Equal(t, time.Hour, waits(t, r.try(t)))
	require.InDelta(t, time.Hour, waits(t, r.try(t)), float64(time.Minute), "a delivery that comes early waits on")
	r.config.OutcomeAfter = time.Nanosecond
	r.announce(t)
	require.Equal(t, []string{"card"}, r.channelOnly(shoots))
}

// crashing is a store whose process dies before or after one write.
type crashing struct {
	*store.Announcements
	at   string
	late bool
}

var errCrash = errors.New("crash")

func (c *crashing) step(name string, do func() error) error {
	if c.at != name {
		return do()
	}
	if c.late {
		_ = do()
	}
	return errCrash
}

func (c *crashing) BeginPost(ctx context.Context, id string, generation int, event int64) error {
	return c.step("begin", func() error { return c.Announcements.BeginPost(ctx, id, generation, event) })
}

func (c *crashing) CardPosted(ctx context.Context, id string, generation int, ts string, version int64) error {
	return c.step("card", func() error { return c.Announcements.CardPosted(ctx, id, generation, ts, version) })
}

func (c *crashing) EventPosted(ctx context.Context, id string, generation int, posted store.Posted) error {
	return c.step("event", func() error { return c.Announcements.EventPosted(ctx, id, generation, posted) })
}

func (c *crashing) ReviewSettled(ctx context.Context, id string, generation int, settled store.Posted) error {
	return c.step("buttons", func() error { return c.Announcements.ReviewSettled(ctx, id, generation, settled) })
}

func TestACrashNeitherLosesNorRepeatsAMessage(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"begin", "card", "event", "buttons"} {
		for name, late := range map[string]bool{"before": false, "after": true} {
			t.Run(name+" "+at, func(t *testing.T) {
				r := newRig(t, workspace.Options{})
				r.place(t, shoots)
				r.happens(t, order.StatusReviewing, 0)
				if at == "buttons" {
					r.announce(t)
					r.happens(t, order.StatusClosed, 0)
				}
				sound := r.config.Store
				r.config.Store.Announcements = &crashing{r.Announcements, at, late}
				require.ErrorIs(t, r.try(t), errCrash)
				r.config.Store, r.job.State = sound, nil
				r.announce(t)
				want := []string{"card", "placed", "ready:r0"}
				if at == "buttons" {
					want = append(want, "approved")
				}
				require.Equal(t, want, r.thread(t, shoots))
			})
		}
	}
}

func TestAMarkLeftByACrashBeforeThePostIsPosted(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0)
	require.NoError(t, r.Announcements.BeginPost(t.Context(), orderID, 1, 2))
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
}

func TestAnotherAppsCopyIsNotAdopted(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	require.NoError(t, r.Announcements.BeginPost(t.Context(), orderID, 1, 0))
	r.config.Slack = stranger{r.slack}
	r.announce(t)
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	require.Len(t, r.channelOnly(shoots), 1)
	require.NotEmpty(t, tracked.CardTS)
}

// stranger is a Slack that posts as another app.
type stranger struct{ whole }

func (s stranger) Identity(context.Context) (client.Identity, error) {
	return client.Identity{BotID: "B0OTHER", BotUser: "U0OTHER"}, nil
}

func TestALaterLookDeletesTheDouble(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]int64{"of the card": 0, "of a reply": 1} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			late := &lateSlack{whole: r.slack, hide: int(event)}
			r.config.Slack = late
			r.announce(t)
			late.arrive(t)
			require.Equal(t, 3, len(r.thread(t, shoots))+len(r.channelOnly(shoots))-1)
			r.later(t)
			require.Equal(t, []string{"card"}, r.channelOnly(shoots))
			require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots))
		})
	}
}

// lateSlack delivers one post after its deadline, without an answer.
type lateSlack struct {
	whole
	hide  int // how many posts go out before
	posts int
	kept  client.Post
}

func (s *lateSlack) Post(ctx context.Context, p client.Post) (string, error) {
	s.posts++
	if s.posts == s.hide+1 {
		s.kept = p
		return "", client.ErrUnknownOutcome
	}
	return s.whole.Post(ctx, p)
}

func (s *lateSlack) arrive(t *testing.T) {
	t.Helper()
	_, err := s.whole.Post(t.Context(), s.kept)
	require.NoError(t, err)
}

func TestALookWithoutADoubleDeletesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.w.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
	r.announce(t)
	r.later(t)
	require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots))
}

func TestAnotherGenerationSaysNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0)
	before := len(r.w.Requests())
	r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 7}, shoots)
	require.NoError(t, r.try(t))
	require.NoError(t, handler(announce.New(r.config), announce.DedupeKind)(t.Context(),
		delivery(announce.DedupeKind, map[string]any{"order": orderID, "generation": 7, "event": "card"}, shoots)))
	require.Len(t, r.w.Requests(), before)
}

func TestACardOfAnotherGenerationIsNotAdopted(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	tracked.Owner.Generation = 7
	card := cards.Card(tracked, "", time.Now())
	old, err := r.slack.Post(t.Context(), client.Post{Channel: shoots, Text: card.Text, Metadata: card.Metadata})
	require.NoError(t, err)
	require.NoError(t, r.Announcements.BeginPost(t.Context(), orderID, 1, 0))
	r.announce(t)
	tracked, err = r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	require.NotEqual(t, old, tracked.CardTS)
}

// moving is a store whose order moves during its announcement.
type moving struct{ *store.Announcements }

func (m moving) BeginPost(context.Context, string, int, int64) error { return store.ErrMoved }

func TestAnAnnouncerIsFencedWhenTheOrderMoves(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.config.Store.Announcements = moving{r.Announcements}
	require.NoError(t, r.try(t), "the new place has a job of its own")
	require.Empty(t, r.channelOnly(shoots))
}

func TestAnUntrackedOrderNeedsNoAnnouncement(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	before := r.reads()
	r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: "nobody", Generation: 1}, shoots)
	require.NoError(t, r.try(t), "the job is done")
	require.NoError(t, handler(announce.New(r.config), announce.DedupeKind)(t.Context(),
		delivery(announce.DedupeKind, map[string]any{"order": "nobody"}, shoots)))
	require.Empty(t, r.channelOnly(shoots), "no channel is told of an order that nobody tracks")
	require.Empty(t, r.put.jobs, "and nothing is left for later")
	require.Equal(t, before, r.reads(), "nor is a channel read for it")
}

func TestAJobThatCannotBeReadIsDead(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	bad := func(kind string) *queue.Delivery {
		return &queue.Delivery{Job: queue.Job{Kind: kind, Body: []byte(`[`)}}
	}
	a := announce.New(r.config)
	require.Error(t, handler(a, store.AnnounceKind)(t.Context(), bad(store.AnnounceKind)))
	require.Error(t, handler(a, announce.DedupeKind)(t.Context(), bad(announce.DedupeKind)))
	r.place(t, shoots)
	r.job.State = []byte(`[`)
	require.Error(t, r.try(t))
	left := delivery(store.LeaveKind, store.LeaveJob{Order: orderID, Channel: weddings, Generation: 1}, weddings)
	left.State = []byte(`[`)
	require.Error(t, handler(a, store.LeaveKind)(t.Context(), left))
}

func TestAnOrderThatIsForgottenLeavesNothingToTidy(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	left := delivery(store.LeaveKind, store.LeaveJob{Order: orderID, Channel: shoots, Generation: 1, CardTS: "1.1"}, shoots)
	require.NoError(t, handler(announce.New(r.config), store.LeaveKind)(t.Context(), left))
	require.Empty(t, r.put.jobs)
}

func TestAPictureSlackCannotFetchDoesNotCostTheMessage(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	gone := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(gone.Close)
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{
		ID: "i1", Name: "beach.jpg", Thumb: gone.URL + "/t.jpg", Origin: gone.URL + "/beach.jpg",
	})
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
	ready := r.reply(t, shoots, "ready:r0")
	require.Equal(t, 2, buttons(ready))
	require.Contains(t, blockText(ready), gone.URL+"/beach.jpg")
}

func TestAPayloadSlackRejectsDoesNotBlockWhatIsBehindIt(t *testing.T) {
	t.Parallel()
	for name, refusals := range map[string]int{"blocks": 1, "text too": 2} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			r.happens(t, order.StatusReviewing, 0)
			r.w.Misbehave("chat.postMessage", workspace.Fault{}, 1)
			r.w.Misbehave("chat.postMessage", workspace.Fails("invalid_blocks"), refusals)
			r.announce(t)
			tracked, err := r.Orders.Order(t.Context(), orderID)
			require.NoError(t, err)
			thread := r.w.Thread(shoots, tracked.CardTS)
			require.Len(t, thread, 3)
			require.Contains(t, thread[1].Text, "Placed")
			require.Empty(t, thread[1].Blocks)
			require.Contains(t, thread[2].Text, "Ready for review")
			require.NotEmpty(t, thread[2].Blocks)
		})
	}
}

func TestAMessageSlackNeverTakesUsesAttempts(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.w.Misbehave("chat.postMessage", workspace.Fails("msg_too_long"), 10)
	require.ErrorIs(t, r.try(t), client.ErrPayload)
}

func TestARateLimitIsWaitedOutWithoutLooking(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.OutcomeAfter = time.Hour
	r.place(t, shoots)
	r.w.Misbehave("chat.postMessage", workspace.TooMany(7*time.Second), 1)
	require.Equal(t, 7*time.Second, waits(t, r.try(t)))
	r.freshClient(t)
	r.announce(t)
	require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots), "nothing was sent, nothing is in doubt")
}

func TestAnEditThatFailsIsRepeated(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0)
	r.w.Misbehave("chat.update", workspace.Error500After, 1)
	require.Equal(t, 5*time.Second, waits(t, r.try(t)))
	r.announce(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), "Ready for review")
}
