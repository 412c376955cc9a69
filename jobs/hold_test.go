package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// asks lets tom decide about orders of #shoots, within these limits.
func asks(r *commandstest.Rig, limits store.Decides) {
	r.T.Helper()
	limits.Approvers = append(limits.Approvers, "tom")
	settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Decides: limits})
}

// submitsDraft has maria submit an order of n images, with a reference, for #shoots.
func submitsDraft(r *commandstest.Rig, name string, images int) {
	r.T.Helper()
	run, err := r.Store.Server.Run(r.T.Context())
	require.NoError(r.T, err)
	d := store.Draft{
		ID: name, Team: "T1", User: "maria", Channel: "C1", Run: run.ID, OpenedAt: time.Now(), ProjectName: name, Service: order.ServiceBasic,
		Instructions: []string{"brighten"}, URLs: []string{"https://example.com/mood.jpg"}, Attempt: 1, State: store.DraftOpen,
		Each: map[string]store.PerImage{"https://example.com/mood.jpg": {Service: order.ServiceReference}},
	}
	for i := range images {
		d.URLs = append(d.URLs, fmt.Sprintf("https://example.com/%d.jpg", i))
	}
	submits(r, d)
}

// submits has maria submit a draft as it is now.
func submits(r *commandstest.Rig, d store.Draft) {
	r.T.Helper()
	sent, _, err := r.Store.Drafts.Submit(r.T.Context(), d)
	require.NoError(r.T, err)
	require.NoError(r.T, r.Jobs.Place.PutPlace(r.T.Context(), sent, "form"))
	r.Settle(3 * time.Second)
}

func draftNow(r *commandstest.Rig, id string) store.Draft {
	r.T.Helper()
	d, err := r.Store.Drafts.Draft(r.T.Context(), id)
	require.NoError(r.T, err)
	return d
}

// decidesHold has tom answer the question.
func decidesHold(r *commandstest.Rig, h store.Hold, allowed bool) {
	r.T.Helper()
	_, err := r.Store.Holds.DecideHold(r.T.Context(), h.ID(), store.HoldDecision{By: "tom", At: time.Now(), Allowed: allowed})
	require.NoError(r.T, err)
	require.NoError(r.T, r.Jobs.Decisions.PutDecision(r.T.Context(), h))
	r.Settle(3 * time.Second)
}

func TestWhatGoesOverALimitIsHeldAndNothingElse(t *testing.T) {
	for name, row := range map[string]struct {
		limits store.Decides
		images int
		why    store.HoldWhy
		limit  int
	}{
		"no limit":                 {store.Decides{}, 40, "", 0},
		"as much as an order may":  {store.Decides{OrderLimit: 3}, 3, "", 0},
		"more than an order may":   {store.Decides{OrderLimit: 3}, 4, store.HoldOrder, 3},
		"as much as is left":       {store.Decides{MonthLimit: 12}, 2, "", 0},
		"more than is left":        {store.Decides{MonthLimit: 12}, 3, store.HoldMonth, 12},
		"more than either":         {store.Decides{OrderLimit: 2, MonthLimit: 12}, 3, store.HoldOrder, 2},
		"who is no spender":        {store.Decides{Spenders: []string{"ben"}}, 1, store.HoldSpender, 0},
		"who is none, over limits": {store.Decides{Spenders: []string{"ben"}, OrderLimit: 2}, 3, store.HoldSpender, 0},
		"who is a spender":         {store.Decides{Spenders: []string{"maria"}}, 40, "", 0},
		"a spender, over a limit":  {store.Decides{Spenders: []string{"maria"}, OrderLimit: 3}, 4, store.HoldOrder, 3},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				r.Settle(time.Minute) // into the month
				spent(r, "this", "C1", time.Now(), 10)
				spent(r, "elsewhere", "CPUBLIC", time.Now(), 1000)
				asks(r, row.limits)
				submitsDraft(r, "hats", row.images)
				d := draftNow(r, "hats")
				if row.why == "" {
					require.Equal(r.T, store.DraftPlaced, d.State)
					require.Empty(r.T, r.JobsOf(store.HoldKind))
					return
				}
				require.Zero(r.T, r.Service.Called("create"))
				require.True(r.T, d.IsHeld())
				h := *d.Hold
				require.Equal(r.T, row.why, h.Why)
				require.Equal(r.T, row.limit, h.Limit)
				require.Equal(r.T, row.images, h.Images, "without the reference")
				require.Equal(r.T, fmt.Sprint(row.images), h.Cost.String())
				require.Equal(r.T, "10", h.Spent.String())
				require.False(r.T, h.Guessed)
				require.Equal(r.T, []string{"tom"}, h.Asks)
				require.Equal(r.T, []any{"T1", "C1", "maria", "form", "hats", 2}, []any{h.Team, h.Channel, h.User, h.View, h.Name, h.Attempt})
				require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:hats.2:asked")
				asked, decision, err := r.Store.Holds.Hold(r.T.Context(), h.ID())
				require.NoError(r.T, err)
				require.Nil(r.T, decision)
				require.Equal(r.T, h.ID(), asked.ID())
				require.Contains(r.T, r.Screen.Window("form"), "tom", "maria reads who is asked")
			})
		})
	}
}

// basicImages returns n images for an order.
func basicImages(n int) *order.Brief {
	return &order.Brief{Service: order.ServiceBasic, Sources: make([]order.Source, n)}
}

// spent makes an order of a channel that cost a credit an image.
func spent(r *commandstest.Rig, id, channel string, at time.Time, credits int64) {
	r.T.Helper()
	o := order.Order{ID: id, ProjectName: id, Status: order.StatusEditing, OrderedAt: at, Price: decimal.NewNullDecimal(decimal.NewFromInt(credits))}
	_, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{
		ID: id, Owner: store.Owner{Team: "T1", Channel: channel, Requester: "maria"}, Brief: basicImages(int(credits)), Order: o,
	})
	require.NoError(r.T, err)
}

// The cost of an image is estimated from this month and the two before. Only this month counts as spent.
func TestAnOrderIsWeighedByWhatImagesCostLately(t *testing.T) {
	midday := time.Date(2000, time.January, 1, 12, 0, 0, 0, time.UTC)
	for name, row := range map[string]struct {
		placed  time.Time
		cost    string
		guessed bool
		spent   string
	}{
		"this month":            {midday.Add(-12 * time.Hour), "6", false, "30"},
		"the month before":      {midday.Add(-12*time.Hour - time.Millisecond), "6", false, "0"},
		"two months before":     {time.Date(1999, time.November, 1, 0, 0, 0, 0, time.UTC), "6", false, "0"},
		"more than that before": {time.Date(1999, time.October, 31, 23, 0, 0, 0, time.UTC), "2", true, "0"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Settle(12 * time.Hour)
				o := order.Order{ID: "before", Status: order.StatusEditing, OrderedAt: row.placed, Price: decimal.NewNullDecimal(decimal.NewFromInt(30))}
				_, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{ID: o.ID, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "maria"}, Brief: basicImages(10), Order: o})
				require.NoError(r.T, err)
				asks(r, store.Decides{OrderLimit: 1})
				submitsDraft(r, "hats", 2)
				h := draftNow(r, "hats").Hold
				require.NotNil(r.T, h)
				require.Equal(r.T, row.cost, h.Cost.String())
				require.Equal(r.T, row.guessed, h.Guessed)
				require.Equal(r.T, row.spent, h.Spent.String())
			})
		})
	}
}

func TestWhatAnApproverAllowsIsPlacedOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		asks(r, store.Decides{OrderLimit: 1})
		submitsDraft(r, "hats", 2)
		h := *draftNow(r, "hats").Hold
		decidesHold(r, h, true)
		require.NoError(r.T, r.Jobs.Decisions.PutDecision(r.T.Context(), h), "and once more, on another replica")
		r.Settle(time.Minute)
		require.Equal(r.T, 1, r.Service.Called("create"))
		d := draftNow(r, "hats")
		require.Equal(r.T, store.DraftPlaced, d.State)
		require.Equal(r.T, "tom", r.Stored(d.OrderID).Brief.AllowedBy)
		require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:"+h.ID()+":decided", "its channel sees it")
		require.Contains(r.T, r.Screen.Window("form"), "Order placed")
		require.Empty(r.T, r.Screen.Sent())
	})
}

func TestWhatAnApproverDeclinesIsToldAndStaysTheirs(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		asks(r, store.Decides{OrderLimit: 1})
		submitsDraft(r, "hats", 2)
		h := *draftNow(r, "hats").Hold
		decidesHold(r, h, false)
		require.Zero(r.T, r.Service.Called("create"))
		require.Len(r.T, r.Screen.Sent(), 1)
		require.Equal(r.T, "Dmaria", r.Screen.Sent()[0].Channel)
		require.Contains(r.T, r.Screen.Sent()[0].Text, "declined your order")
		require.Equal(r.T, store.DraftRefused, draftNow(r, "hats").State)
		require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:"+h.ID()+":decided")
	})
}

// Exactly what tom saw is placed, or nothing. He is notified if it changed.
func TestAnAllowanceOfWhatWasChangedOrDiscardedPlacesNothing(t *testing.T) {
	for name, change := range map[string]func(d *store.Draft){
		"changed":         func(d *store.Draft) { d.Instructions = []string{"darken"} },
		"discarded":       func(d *store.Draft) { d.State = store.DraftDiscarded },
		"submitted since": func(d *store.Draft) { d.Attempt++ },
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				asks(r, store.Decides{OrderLimit: 1})
				submitsDraft(r, "hats", 2)
				d := draftNow(r, "hats")
				h := *d.Hold
				change(&d)
				require.NoError(r.T, r.Redis.Del(r.T.Context(), "{darkroom}:draft:hats").Err())
				require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), d))
				decidesHold(r, h, true)
				r.Settle(time.Minute)
				require.Zero(r.T, r.Service.Called("create"))
				require.Len(r.T, r.Screen.Sent(), 1)
				require.Equal(r.T, "Dtom", r.Screen.Sent()[0].Channel)
				require.Contains(r.T, r.Screen.Sent()[0].Text, "was changed, placed or discarded")
				require.Equal(r.T, d.State, draftNow(r, "hats").State)
			})
		})
	}
}

// A second submission before an answer leaves one open question, the newer.
func TestAnOrderThatIsSubmittedAgainIsAskedAnew(t *testing.T) {
	for name, answered := range map[string]bool{"nobody has answered": false, "it was declined": true} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				asks(r, store.Decides{OrderLimit: 1})
				submitsDraft(r, "hats", 2)
				first := *draftNow(r, "hats").Hold
				if answered {
					decidesHold(r, first, false)
				}
				d := draftNow(r, "hats")
				d.URLs = append(d.URLs, "https://example.com/more.jpg")
				require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), d))
				submits(r, d)
				second := *draftNow(r, "hats").Hold
				require.NotEqual(r.T, first.ID(), second.ID())
				require.Equal(r.T, 3, second.Images)
				_, decision, err := r.Store.Holds.Hold(r.T.Context(), first.ID())
				require.NoError(r.T, err)
				require.NotNil(r.T, decision)
				require.Equal(r.T, !answered, decision.Anew, "what was answered stays as it is")
				require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:"+first.ID()+":decided")
				decidesHold(r, first, true) // too late
				require.Zero(r.T, r.Service.Called("create"))
				decidesHold(r, second, true)
				require.Equal(r.T, 1, r.Service.Called("create"))
			})
		})
	}
}

func TestAnAllowanceIsGoodAlsoWhenTheServiceRefusesAtFirst(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		asks(r, store.Decides{OrderLimit: 1})
		submitsDraft(r, "hats", 2)
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("insufficient balance: 2 credits"))
		decidesHold(r, *draftNow(r, "hats").Hold, true)
		d := draftNow(r, "hats")
		require.Equal(r.T, store.DraftRefused, d.State)
		submits(r, d)
		r.Settle(4 * time.Minute)
		require.Equal(r.T, store.DraftPlaced, draftNow(r, "hats").State, "tom is not asked again")
		require.Equal(r.T, map[string]bool{"hold:hats.2:asked": true, "hold:hats.2:decided": true, "hold:hats.2:refused3": true, "hold:hats.2:placed3": true},
			r.JobsOf(store.HoldKind), "the question says each time how it stands")
	})
}

// A question that is too old, or whose answer Redis lost, does nothing: it can be answered again.
func TestAQuestionWithoutAnAnswerPlacesNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		asks(r, store.Decides{OrderLimit: 1})
		submitsDraft(r, "hats", 2)
		h := *draftNow(r, "hats").Hold
		require.NoError(r.T, r.Jobs.Decisions.PutDecision(r.T.Context(), h))
		require.NoError(r.T, r.Jobs.Decisions.PutDecision(r.T.Context(), store.Hold{Draft: "forgotten", Attempt: 2}))
		r.Settle(time.Minute)
		require.Zero(r.T, r.Service.Called("create"))
		require.Empty(r.T, r.Screen.Sent())
		require.Zero(r.T, r.Stats().Jobs+r.Stats().Dead)
		require.NotContains(r.T, r.JobsOf(store.HoldKind), "hold:"+h.ID()+":decided")
	})
}

// Concurrent orders are checked one after the other, each with those before it. No order waits for another's answer.
func TestOrdersOfOneMomentShareAMonthsLimit(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		asks(r, store.Decides{MonthLimit: 20})
		r.Service.Set(func(f *commandstest.Service) { f.Slow = 20 * time.Second })
		b := placesBatch(r, 30)
		r.Settle(15 * time.Second)
		require.Equal(r.T, 20, r.Service.Called("create"), "at the same time")
		r.Settle(2 * time.Minute)
		held := 0
		for _, d := range b.Drafts() {
			if draftNow(r, d.ID).IsHeld() {
				held++
			}
		}
		require.Equal(r.T, 10, held)
		require.Equal(r.T, 20, r.Service.Called("create"))
		require.Zero(r.T, r.Service.Listed(), "nothing was looked for")
	})
}

func TestWhileNobodyKnowsWhoSpendsAnOrderWaits(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		asks(r, store.Decides{SpenderGroups: []string{"S1"}})
		r.Screen.GroupsFail(client.ErrTryLater)
		submitsDraft(r, "hats", 2)
		require.Equal(r.T, store.DraftPlacing, draftNow(r, "hats").State)
		r.Screen.GroupsIn(map[string][]string{"S1": {"maria"}})
		r.Settle(time.Minute)
		require.Equal(r.T, store.DraftPlaced, draftNow(r, "hats").State)
	})
}

// Redis goes away at each command of the job in turn. An order is still asked about, allowed and placed once.
func TestAHeldOrderOutlivesARedisThatGoesAway(t *testing.T) {
	for breaks, broke := int64(1), true; broke; breaks++ {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			asks(r, store.Decides{MonthLimit: 1})
			r.Flaky.After = breaks%2 == 0
			r.Flaky.Left.Store(breaks)
			submitsDraft(r, "hats", 2)
			r.Settle(10 * time.Minute)
			d := draftNow(r, "hats")
			require.True(r.T, d.IsHeld(), "at command %d", breaks)
			require.Len(r.T, r.JobsOf(store.HoldKind), 1, "at command %d", breaks)
			decidesHold(r, *d.Hold, true)
			r.Settle(20 * time.Minute)
			broke = r.Flaky.Left.Load() <= 0
			require.LessOrEqual(r.T, r.Service.Called("create"), 1, "at command %d", breaks)
			require.Equal(r.T, r.Service.Called("create") == 1, draftNow(r, "hats").State == store.DraftPlaced, "at command %d", breaks)
			if r.Service.Called("create") == 0 { // it was marked as being sent, and never left
				require.Equal(r.T, store.DraftUnknown, draftNow(r, "hats").State, "at command %d", breaks)
			}
			require.Equal(r.T, map[string]bool{
				"hold:hats.2:asked": true, "hold:hats.2:decided": true, fmt.Sprintf("hold:hats.2:%s2", draftNow(r, "hats").State): true,
			}, r.JobsOf(store.HoldKind), "at command %d", breaks)
			require.False(r.T, strings.Contains(strings.Join(r.Screen.AllMessages(), ""), "was changed, placed or discarded"), "at command %d", breaks)
		})
	}
}

// The requester makes the order smaller, so that it needs no approval. The question ends, and nothing else is sent.
func TestAQuestionEndsWhenItsOrderIsPlacedWithoutAnAnswer(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		asks(r, store.Decides{OrderLimit: 1})
		submitsDraft(r, "hats", 2)
		d := draftNow(r, "hats")
		require.True(r.T, d.IsHeld())
		id := d.Hold.ID()
		d.URLs = d.URLs[:1]
		submits(r, d)
		require.Equal(r.T, store.DraftPlaced, draftNow(r, "hats").State)
		_, decision, err := r.Store.Holds.Hold(r.T.Context(), id)
		require.NoError(r.T, err)
		require.NotNil(r.T, decision)
		require.True(r.T, decision.Anew)
		told := len(r.Screen.AllMessages())
		r.Settle(store.HoldLife + time.Hour)
		require.Len(r.T, r.Screen.AllMessages(), told)
	})
}

// questionSays returns the current text of a question.
func questionSays(r *commandstest.Rig, id string) string {
	r.T.Helper()
	h, decision, err := r.Store.Holds.Hold(r.T.Context(), id)
	require.NoError(r.T, err)
	var drafts []store.Draft
	for _, id := range h.Drafts() {
		drafts = append(drafts, draftNow(r, id))
	}
	return place.HoldQuestion(h, decision, drafts...).Text
}

// A question about a discarded order ends, too. A person who answers it then reads why.
func TestAQuestionEndsWhenItsOrderIsDiscarded(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks(r, store.Decides{OrderLimit: 1})
		submitsDraft(r, "hats", 2)
		h := *draftNow(r, "hats").Hold
		r.Presses(place.ActionDiscard, "hats")
		r.Settle(time.Minute)
		require.Contains(r.T, questionSays(r, h.ID()), "Discarded by maria")
		require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:"+h.ID()+":decided", "its channel sees it")
		require.Contains(r.T, r.Does(bot.Request{Name: place.ActionAllow, Value: h.ID(), User: "tom"}), "discarded this order")
		r.Settle(store.HoldLife + time.Hour)
		require.Empty(r.T, r.Screen.Sent())
		require.Zero(r.T, r.Service.Called("create")+r.Stats().Dead)
	})
}

// The question shows that an allowed order, which could not be placed, was discarded.
func TestAnAllowedQuestionSaysThatItsOrderWasDiscarded(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		asks(r, store.Decides{OrderLimit: 1})
		submitsDraft(r, "hats", 2)
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("The photos are too small."))
		h := *draftNow(r, "hats").Hold
		decidesHold(r, h, true)
		r.Presses(place.ActionDiscard, "hats")
		require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:hats.2:discarded3")
		require.Contains(r.T, questionSays(r, h.ID()), "was discarded")
	})
}

// An earlier attempt whose answer was lost may turn up while an approver is asked about the next.
func TestAQuestionEndsWhenAnEarlierAttemptTurnsUp(t *testing.T) {
	for name, again := range map[string]bool{"it is watched": false, "it is submitted again, and looked for": true} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				id := r.GivenUp()
				channel := r.Draft().Channel
				asked := store.Settings{Decides: store.Decides{Approvers: []string{"tom"}, Spenders: []string{"ben"}}}
				settingstest.Save(r.T, r.Store, "T1", channel, asked)
				r.Presses(place.ActionRetry, pressOf(r, place.ActionRetry))
				r.Settle(time.Minute)
				d := draftNow(r, id)
				require.True(r.T, d.IsHeld())
				r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + d.Reference + "]") })
				if again {
					d.Absent = "" // as after a restart of Redis
					sent, _, err := r.Store.Drafts.Submit(r.T.Context(), d)
					require.NoError(r.T, err)
					require.NoError(r.T, r.Jobs.Place.PutPlace(r.T.Context(), sent, "form"))
				}
				r.Settle(time.Hour)
				require.Equal(r.T, store.DraftPlaced, draftNow(r, id).State)
				require.Contains(r.T, questionSays(r, d.Hold.ID()), "had it already")
				require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:"+d.Hold.ID()+":decided", "its channel sees it")
				told := len(r.Screen.Sent())
				require.Contains(r.T, r.Does(bot.Request{Name: place.ActionAllow, Value: d.Hold.ID(), User: "tom"}), "is placed already")
				r.Settle(store.HoldLife + time.Hour)
				require.Len(r.T, r.Screen.Sent(), told)
				require.Equal(r.T, 1, r.Service.Called("create"))
			})
		})
	}
}

// The outcome of an allowed order was unknown. Once the order is found, the question says that it is placed.
func TestAnAllowedQuestionSaysThatItsOrderTurnedUp(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		asks(r, store.Decides{OrderLimit: 1})
		submitsDraft(r, "hats", 2)
		h := *draftNow(r, "hats").Hold
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		decidesHold(r, h, true)
		r.Settle(4 * time.Minute)
		require.Contains(r.T, questionSays(r, h.ID()), "Nobody knows")
		r.Service.Set(func(f *commandstest.Service) { f.Add("hats [" + draftNow(r, "hats").Reference + "]") })
		r.Settle(time.Hour)
		require.Contains(r.T, questionSays(r, h.ID()), "It is placed.")
		require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:hats.2:placed2")
	})
}
