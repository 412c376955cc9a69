package commands

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

func TestAPlacedOrderIsOwnedByItsChannel(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new https://example.com/a.jpg")
		r.submits()
		require.Contains(r.t, r.screen.modal(), "Order placed")
		order, err := r.store.Order(r.t.Context(), "order1")
		require.NoError(r.t, err)
		require.Equal(r.t, store.Owner{Team: "T1", Channel: "C1", Requester: "maria", Generation: order.Owner.Generation}, order.Owner)
		require.Regexp(r.t, `^Smith wedding \[[A-Z0-9]{6,}\]$`, order.Order.ProjectName)
	})
}

func TestAnOrderWithoutANameGetsTwoFriendlyWords(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		draft := store.Draft{ID: jobs.Hash("trigger1"), Attempt: 1, State: store.DraftPlacing, User: "maria"}
		r.names(&draft)
		require.Regexp(r.t, `^\S+ \S+$`, draft.ProjectName)
		before := draft
		r.names(&draft)
		require.Equal(r.t, before.Reference, draft.Reference, "the reference is given once")
	})
}

func TestAnOrderWhoseAnswerIsLostIsAdopted(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, lost)
		r.types("new")
		r.submits()
		require.Contains(r.t, r.screen.modal(), "Order placed")
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates)
	})
}

func TestAnOrderThatAppearsLateIsAdopted(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, never)
		r.types("new")
		r.submits()
		require.NotContains(r.t, r.screen.modal(), "Order placed")
		r.service.Lock()
		r.service.add(r.draft().ProjectName + " [" + r.draft().Reference + "]")
		r.service.Unlock()
		r.settle(15 * time.Second)
		require.Contains(r.t, r.screen.modal(), "Order placed")
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates)
	})
}

func TestAnOrderNobodyFindsIsGivenBackToThePerson(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, never)
		r.types("new")
		r.submits()
		r.settle(148 * time.Second) // the request's own 30 s and two minutes are not over
		require.NotContains(r.t, r.screen.modal(), "Try again", "a scan this early proves nothing")
		r.settle(30 * time.Second)
		require.Contains(r.t, r.screen.modal(), "Try again")
		require.Contains(r.t, r.screen.modal(), "Discard")
		require.Len(r.t, r.screen.dms, 1, "unsettled money is always also a direct message")
		require.Equal(r.t, store.DraftUnknown, r.draft().State)
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates)
	})
}

func TestTryAgainAdoptsWhatArrivedMeanwhile(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.service.Lock()
		r.service.add("Smith wedding [" + r.draft().Reference + "]")
		r.service.Unlock()
		r.presses(cards.ActionRetry, r.draft().ID)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates)
	})
}

func TestTryAgainSendsOnceHoweverOftenItIsPressed(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.givenUp()
		for range 3 {
			r.presses(cards.ActionRetry, id)
		}
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		creates, _ := r.service.sent()
		require.Equal(r.t, 2, creates)
	})
}

func TestADiscardedDraftIsNotSentAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.givenUp()
		r.presses(cards.ActionDiscard, id)
		r.presses(cards.ActionRetry, id)
		require.Equal(r.t, store.DraftDiscarded, r.draft().State)
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates)
	})
}

func TestAnOrderThatTurnsUpAfterAllIsShownToItsRequester(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.service.Lock()
		ghost := r.service.add("Smith wedding [" + r.draft().Reference + "]")
		r.service.Unlock()
		r.settle(20 * time.Minute)
		require.Len(r.t, r.screen.dms, 2)
		require.Contains(r.t, r.screen.dms[1], ghost.ID)
		_, err := r.store.Order(r.t.Context(), ghost.ID)
		require.NoError(r.t, err, "its channel owns it")
	})
}

func TestAReferenceIsWatchedForADay(t *testing.T) {
	require.Equal(t, 24*time.Hour, jobs.Watches[len(jobs.Watches)-1])
	bubble(t, func(r *rig) {
		r.givenUp()
		for step := range jobs.Watches {
			before := r.later()
			require.NoError(r.t, r.doing(jobs.WatchJob)(r.t.Context(), watchDelivery(r.t, jobs.WatchArgs{Draft: r.draft().ID, Step: step, Since: time.Now()})))
			more := 1
			if step == len(jobs.Watches)-1 {
				more = 0 // the watch ends
			}
			require.Equal(r.t, before+more, r.later(), "step %d", step)
		}
		require.Len(r.t, r.screen.dms, 1, "nothing turned up")
	})
}

// later counts the jobs put with a delay that is not over.
func (r *rig) later() int {
	r.t.Helper()
	return r.stats().Later
}

func watchDelivery(t *testing.T, w jobs.WatchArgs) *queue.Delivery {
	t.Helper()
	body, err := json.Marshal(w)
	require.NoError(t, err)
	return &queue.Delivery{Job: queue.Job{ID: "watch", Kind: jobs.WatchJob, Body: body}}
}

func TestARefusalGivesTheFormBackWithEverythingTyped(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, refused("insufficient balance: 2 credits", "one file is not accessible from our server: https://example.com/a.jpg"))
		r.types("new")
		r.submits()
		for _, kept := range []string{"insufficient balance: 2 credits", "not accessible", "Brighten it.", "Smith wedding"} {
			require.Contains(r.t, r.screen.modal(), kept)
		}
		r.submits()
		require.Contains(r.t, r.screen.modal(), "Order placed")
		creates, _ := r.service.sent()
		require.Equal(r.t, 2, creates)
	})
}

func TestARefusalIsToldWhenTheFormIsGone(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, refused("insufficient balance: 2 credits"))
		r.types("new")
		r.screen.closes()
		r.submits()
		require.Contains(r.t, r.screen.lastTold(), "insufficient balance: 2 credits")
		require.Contains(r.t, r.screen.lastTold(), "Brighten it.")
		require.Contains(r.t, r.screen.lastTold(), cards.ActionOpen)
	})
}

func TestAServiceThatIsDownGetsTheOrderWhenItIsBack(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, unsent, unsent)
		r.types("new")
		r.service.Lock()
		r.service.down = true
		r.service.Unlock()
		r.submits()
		r.settle(5 * time.Minute)
		require.Equal(r.t, store.DraftPlacing, r.draft().State, "an outage waits, it does not give up")
		r.service.Lock()
		r.service.down = false
		r.service.Unlock()
		r.settle(5 * time.Minute)
		require.Contains(r.t, r.screen.modal(), "Order placed")
		require.Len(r.t, r.service.orders, 1)
	})
}

func TestAJobFoundInSendingLooksAndDoesNotSend(t *testing.T) {
	bubble(t, func(r *rig) {
		d := r.placingJob(r.t, jobs.PlaceState{Phase: jobs.Sending, SentAt: time.Now()})
		d.Deliveries = 2
		require.Error(r.t, r.doing(jobs.PlaceJob)(r.t.Context(), d), "it waits for its next look")
		creates, _ := r.service.sent()
		require.Zero(r.t, creates)
		require.NotZero(r.t, r.service.listed())
	})
}

func TestAJobThatWasDeliveredBeforeLooksFirst(t *testing.T) {
	bubble(t, func(r *rig) {
		d := r.placingJob(r.t, jobs.PlaceState{})
		r.service.add("Smith wedding [" + r.draft().Reference + "]")
		require.NoError(r.t, r.doing(jobs.PlaceJob)(r.t.Context(), d))
		creates, _ := r.service.sent()
		require.Zero(r.t, creates, "adopted")
	})
}

func TestARefusalIsToldThoughTheJobDiedBeforeItCould(t *testing.T) {
	bubble(t, func(r *rig) {
		d := r.placingJob(r.t, jobs.PlaceState{})
		draft := r.draft()
		draft.State, draft.Attempt, draft.Problems = store.DraftRefused, 2, []string{"insufficient balance"}
		require.NoError(r.t, r.store.SaveDraft(r.t.Context(), draft))
		require.NoError(r.t, r.doing(jobs.PlaceJob)(r.t.Context(), d))
		r.settle(time.Second)
		require.Contains(r.t, r.screen.shown["none"], "insufficient balance")
		creates, _ := r.service.sent()
		require.Zero(r.t, creates)
	})
}

func TestURLsOnTheLine(t *testing.T) {
	for line, want := range map[string][]string{
		"new":                            {},
		"new https://a.test/1.jpg":       {"https://a.test/1.jpg"},
		"new <https://a.test/1.jpg>":     {"https://a.test/1.jpg"},
		"https://a.test/1.jpg http://b/": {"https://a.test/1.jpg", "http://b/"},
		"<https://a.test/1.jpg|a.test>":  {"https://a.test/1.jpg"},
	} {
		var r bot.Request
		r.Kind, r.Text = bot.KindCommand, line
		r.Verb, r.Args = cut(line)
		require.ElementsMatch(t, want, lineURLs(r), line)
	}
}

func cut(line string) (verb, args string) {
	for i, c := range line {
		if c == ' ' {
			return line[:i], line[i+1:]
		}
	}
	return line, ""
}

// draft is the draft of the first form.
func (r *rig) draft() store.Draft {
	r.t.Helper()
	d, err := r.store.Draft(r.t.Context(), jobs.Hash("trigger1"))
	require.NoError(r.t, err)
	return d
}

// names gives a draft its reference and name.
func (r *rig) names(draft *store.Draft) {
	r.t.Helper()
	_, err := r.jobs.NameOrder(r.t.Context(), draft, false)
	require.NoError(r.t, err)
}

// givenUp is an order that was sent, never arrived and was given back.
func (r *rig) givenUp() string {
	r.t.Helper()
	r.service.nextCreate = append(r.service.nextCreate, never)
	r.types("new")
	r.submits()
	r.settle(4 * time.Minute)
	require.Equal(r.t, store.DraftUnknown, r.draft().State)
	return r.draft().ID
}

// placingJob is the job of a named draft in a state that a crash left behind.
func (r *rig) placingJob(t *testing.T, state jobs.PlaceState) *queue.Delivery {
	t.Helper()
	r.types("new")
	draft := r.draft()
	draft.State, draft.Channel, draft.ProjectName = store.DraftPlacing, "C1", "Smith wedding"
	draft.URLs, draft.Instructions, draft.SubmittedAt = []string{"https://example.com/a.jpg"}, []string{"x"}, time.Now()
	draft.Service = order.ServiceBasic
	r.names(&draft)
	r.screen.views = append(r.screen.views, "none")
	body, err := json.Marshal(jobs.PlaceArgs{Draft: draft.ID, Attempt: 1, View: "none"})
	require.NoError(t, err)
	raw, err := json.Marshal(state)
	require.NoError(t, err)
	return &queue.Delivery{Job: queue.Job{ID: "place:x:1", Kind: jobs.PlaceJob, Body: body}, State: raw, Deliveries: 2}
}
