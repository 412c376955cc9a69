package jobs_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/home"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// waitForReview gives a channel n orders of maria's that wait for a review. The highest number is the newest.
func waitForReview(r *commandstest.Rig, channel string, n int) {
	for i := range n {
		r.Owns(fmt.Sprintf("%s-%02d", channel, i+1), channel, "maria", func(o *order.Order) {
			o.Status, o.OrderedAt = order.StatusReviewing, time.Now().Add(time.Duration(i-n)*time.Minute)
			o.EditedImages = []order.EditedImage{{ID: fmt.Sprint("image", i), Name: "beach.jpg"}}
		})
	}
}

// waiting returns the orders that a person may approve at once.
func waiting(r *commandstest.Rig, user string) (change.Selection, []string) {
	r.T.Helper()
	s, err := r.Jobs.Home.ToReview(r.T.Context(), bot.Request{Team: "T1", User: user})
	require.NoError(r.T, err)
	var ids []string
	for _, t := range s.Orders {
		ids = append(ids, t.ID)
		require.Contains(r.T, s.Rounds, t.ID)
	}
	return s, ids
}

func TestTheNewestTenThatWaitAreOffered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		waitForReview(r, "C1", 12)
		r.Owns("edited", "C1", "maria", nil)
		s, ids := waiting(r, "maria")
		require.Equal(r.T, 12, s.Total)
		require.Len(r.T, ids, 10)
		require.Equal(r.T, "C1-12", ids[0])
		require.Equal(r.T, "C1-03", ids[9])
		_, ids = waiting(r, "tom")
		require.Empty(r.T, ids, "they are maria's")
		r.Comes("tom")
		r.Turns("tom", home.ActionFilter, "true:")
		_, ids = waiting(r, "tom")
		require.Len(r.T, ids, 10, "his Home shows all of his channels'")
	})
}

// A list may be a minute old, but the order is checked again when it is approved.
func TestWhatSomebodyMayNoLongerSeeIsNotOffered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		waitForReview(r, "C1", 2)
		r.Screen.Left = map[string]bool{"maria": true}
		s, ids := waiting(r, "maria")
		require.Empty(r.T, ids)
		require.Equal(r.T, 2, s.Total, "her Home still has them")

		r.Screen.Left, r.Screen.NoMembers = nil, client.ErrTryLater
		_, err := r.Jobs.Home.ToReview(r.T.Context(), bot.Request{Team: "T1", User: "maria"})
		require.ErrorIs(r.T, err, client.ErrTryLater, "nobody knows what she may see")
	})
}

func TestWhatCannotBeApprovedIsNotOffered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		waitForReview(r, "C1", 2)
		waitForReview(r, "CPUBLIC", 1)
		r.Owns(strings.Repeat("long", 40), "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		settingstest.Save(r.T, r.Store, "T1", "CPUBLIC", store.Settings{Decides: store.Decides{Approvers: []string{"boss"}}})
		s, ids := waiting(r, "maria")
		require.Equal(r.T, 3, s.Total)
		require.Equal(r.T, []string{"C1-02", "C1-01"}, ids, "without what others approve, and what no tick can name")
		r.Screen.GroupsFail(client.ErrTryLater)
		settingstest.Save(r.T, r.Store, "T1", "CPUBLIC", store.Settings{Decides: store.Decides{ApproverGroups: []string{"S1"}}})
		_, err := r.Jobs.Home.ToReview(r.T.Context(), bot.Request{Team: "T1", User: "maria"})
		require.ErrorIs(r.T, err, client.ErrTryLater)
	})
}

// An order may be untracked or forgotten at this very moment.
func TestWhatIsUntrackedMeanwhileIsNotOffered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		waitForReview(r, "C1", 4)
		r.Screen.Meanwhile = func() { // they are on her list
			untracks(r, "C1-02")
			require.NoError(r.T, r.Redis.Del(r.T.Context(), "{darkroom}:order:C1-03").Err())
		}
		s, ids := waiting(r, "maria")
		require.Equal(r.T, []string{"C1-04", "C1-01"}, ids)
		require.Equal(r.T, 4, s.Total)
	})
}

const selectWindow = "select window"

// ticks has maria tick these orders as they are now. The returned function submits the form, or its part about some
// orders.
func ticks(r *commandstest.Rig, window string, ids ...string) (send func(only ...string)) {
	r.T.Helper()
	s, _ := waiting(r, "maria")
	page := commandstest.Text(change.SelectApprovals(s, cards.Thumbs{}, window))
	var bodies []jobs.ChangeArgs
	for _, id := range ids {
		tick := regexp.MustCompile(`"value":"(` + id + `:[^"]*)"`).FindStringSubmatch(page)
		require.NotNil(r.T, tick, page)
		_, revision, _ := cards.ParseValue(tick[1])
		bodies = append(bodies, jobs.ChangeArgs{Order: id, Revision: revision, Pictures: cards.PicturesIn(tick[1]), Selected: ids})
	}
	return func(only ...string) {
		for _, body := range bodies {
			if len(only) > 0 && !slices.Contains(only, body.Order) {
				continue
			}
			body.Asker = answers.Asker{Team: "T1", User: "maria", View: window, At: time.Now()}
			require.NoError(r.T, r.Jobs.Putter.Put(r.T.Context(), job.Approve, "approve:"+window+":"+body.Order, "order:"+body.Order, body))
		}
	}
}

func TestTheWindowShowsHowEachApprovalStands(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		waitForReview(r, "C1", 4)
		r.Service.NextApprove = append(r.Service.NextApprove, commandstest.Refused("The <order> is archived."))
		send := ticks(r, selectWindow, "C1-01", "C1-02", "C1-03", "C1-04")
		r.Service.Edit("C1-02", func(o *order.Order) {
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "late", Name: "late.jpg"})
		})
		r.Service.Edit("C1-03", func(o *order.Order) { o.Status = order.StatusRevising })
		send()
		r.Settle(time.Minute)
		shown := commandstest.Readable(r.Screen.Window(selectWindow))
		require.Equal(r.T, 1, strings.Count(shown, "is approved."), shown)
		require.Equal(r.T, 1, strings.Count(shown, "The photo service says: The &lt;order&gt; is archived."), shown)
		require.Contains(r.T, shown, "newer photos than those you saw")
		require.Contains(r.T, shown, "Project C1-03")
		require.NotContains(r.T, shown, "on the way")
		require.Empty(r.T, r.Screen.AllMessages(), "the window has it all")
	})
}

// A waiting approval is shown as such, and at last its outcome.
func TestAnApprovalOfSeveralThatWaitsIsShown(t *testing.T) {
	for name, row := range map[string]struct {
		away func(r *commandstest.Rig)
		says string
	}{
		"nothing was sent": {func(r *commandstest.Rig) { r.Service.Down = true }, "The photo service does not answer just now"},
		"nobody knows": {func(r *commandstest.Rig) {
			r.Service.NextApprove = append(r.Service.NextApprove, r.Breaks)
		}, "I do not know yet if"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				waitForReview(r, "C1", 1)
				row.away(r)
				ticks(r, selectWindow, "C1-01")()
				r.Settle(30 * time.Second)
				require.Contains(r.T, r.Screen.Window(selectWindow), row.says)
				r.Service.Set(func(f *commandstest.Service) { f.Down = false })
				r.Settle(20 * time.Minute)
				require.Contains(r.T, r.Screen.Window(selectWindow), "is approved.")
				require.NotContains(r.T, r.Screen.Window(selectWindow), row.says)
			})
		})
	}
}

func TestOneWindowSaysNothingOfAnotherWindowsApprovals(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		waitForReview(r, "C1", 2)
		r.Service.NextApprove = append(r.Service.NextApprove, commandstest.Refused("It is archived."))
		ticks(r, selectWindow, "C1-01")()
		r.Settle(time.Minute)
		require.Contains(r.T, r.Screen.Window(selectWindow), "It is archived.")
		ticks(r, "another window", "C1-01", "C1-02")("C1-02") // the job of the other is still to come
		r.Settle(time.Minute)
		shown := r.Screen.Window("another window")
		require.Contains(r.T, shown, "Project C1-02* is approved.")
		require.Contains(r.T, shown, "1 more is on the way")
		require.NotContains(r.T, shown, "It is archived.", "this was of another window")
	})
}

// A person who has left since does not learn the order's name.
func TestOfAnOrderThatIsNoLongerTheirsNothingIsTold(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		waitForReview(r, "C1", 1)
		send := ticks(r, selectWindow, "C1-01")
		r.Screen.Left = map[string]bool{"maria": true}
		send()
		r.Settle(time.Minute)
		require.Zero(r.T, r.Service.Called("approve"))
		require.NotContains(r.T, r.Screen.Window(selectWindow), "Project C1-01")
		require.Contains(r.T, r.Screen.Window(selectWindow), "C1-01")
	})
}

func TestWhoHasClosedTheWindowIsToldOfEachFailureOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		waitForReview(r, "C1", 3)
		send := ticks(r, selectWindow, "C1-01", "C1-02", "C1-03")
		r.Service.Edit("C1-02", func(o *order.Order) { o.Status = order.StatusCanceled })
		r.Screen.Closes()
		send()
		r.Settle(time.Minute)
		require.Equal(r.T, 2, r.Service.Called("approve"))
		require.Len(r.T, r.Screen.Sent(), 1)
		require.Contains(r.T, r.Screen.DMs[0], "C1-02")
	})
}

// An outage of Slack is not a closed window.
func TestTheWindowIsPaintedOnceSlackIsBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		waitForReview(r, "C1", 1)
		r.Service.NextApprove = append(r.Service.NextApprove, commandstest.Refused("It is archived."))
		r.Screen.NoViews = client.ErrTryLater
		ticks(r, selectWindow, "C1-01")()
		r.Settle(time.Minute)
		r.Screen.Set(func(s *commandstest.Screen) { s.NoViews = nil })
		r.Settle(time.Minute)
		require.Contains(r.T, r.Screen.Window(selectWindow), "It is archived.")
		require.Empty(r.T, r.Screen.AllMessages())
	})
}

// Redis goes away at each command of the job in turn. The window still shows the outcome, and the order is approved once.
func TestApprovalsOfSeveralOutliveARedisThatGoesAway(t *testing.T) {
	for breaks, broke := int64(1), true; broke; breaks++ {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.SetUpWorkspace()
			waitForReview(r, "C1", 1)
			r.Flaky.After = breaks%2 == 0
			r.Flaky.Left.Store(breaks)
			ticks(r, selectWindow, "C1-01")()
			r.Settle(20 * time.Minute)
			broke = r.Flaky.Left.Load() <= 0
			require.Equal(r.T, 1, r.Service.Called("approve"), "at command %d", breaks)
			require.Contains(r.T, r.Screen.Window(selectWindow), "is approved.", "at command %d", breaks)
			require.Zero(r.T, r.Stats().Jobs)
		})
	}
}
