package commands_test

import (
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	cardssettings "darkroom/cards/settings"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// role is a full member's role when they decide.
type role struct {
	user    string
	becomes func(r *commandstest.Rig)
	may     bool
	group   bool   // the channel names a user group and no person
	reads   string // the reason in the refusal
}

// roles returns all roles. A person without the right is a full member of C1 while the form opens.
func roles() map[string]role {
	stays := func(*commandstest.Rig) {}
	return map[string]role{
		"approver":            {user: "tom", becomes: stays, may: true},
		"member":              {user: "tom", becomes: stays, reads: "only chief "},
		"member of the group": {user: "tom", may: true, group: true, becomes: func(r *commandstest.Rig) { r.Screen.GroupsIn(map[string][]string{"S1": {"tom"}}) }},
		"left the group since": {user: "tom", group: true, reads: "subteam^S1", becomes: func(r *commandstest.Rig) {
			r.Screen.GroupsIn(map[string][]string{"S1": {"maria"}, "S2": {"tom"}})
		}},
		"of a group that was disabled": {user: "tom", group: true, reads: "subteam^S1", becomes: func(r *commandstest.Rig) { r.Screen.GroupsIn(nil) }},
		"of a group that may not be read": {user: "tom", group: true, reads: "subteam^S1", becomes: func(r *commandstest.Rig) {
			r.Screen.GroupsFail(client.ErrMissingScope)
		}},
		"operator": {user: "boss", becomes: stays, reads: "only chief "},
		"guest": {user: "tom", reads: "Guests may look at orders but not", becomes: func(r *commandstest.Rig) {
			r.Screen.Lock()
			defer r.Screen.Unlock()
			r.Screen.Guests["tom"] = true
		}},
		"of another organization": {user: "tom", reads: "People of other organizations may look at orders but not", becomes: func(r *commandstest.Rig) {
			r.Screen.Lock()
			defer r.Screen.Unlock()
			r.Screen.Strangers = map[string]bool{"tom": true}
		}},
		"has left": {user: "tom", reads: "There is no ", becomes: func(r *commandstest.Rig) {
			r.Screen.SetChannels(map[string]commandstest.Channel{"C1": {Members: []string{"maria", "boss"}}})
		}},
	}
}

// approvalPaths returns the ways to approve order001. Each is prepared before approvers are named, and returns the
// action that follows.
func approvalPaths() map[string]func(r *commandstest.Rig, user string) func() string {
	return map[string]func(r *commandstest.Rig, user string) func() string{
		"slash": func(r *commandstest.Rig, user string) func() string {
			return func() string { return r.Says(user, "C1", "approve order001 Lovely") + submitsIfOpen(r, user) }
		},
		"button": func(r *commandstest.Rig, user string) func() string {
			return func() string {
				return r.Does(bot.Request{Name: cards.ActionApprove, Value: cards.Value("order001", 0), User: user}) + submitsIfOpen(r, user)
			}
		},
		"a form that was open": func(r *commandstest.Rig, user string) func() string {
			form := formOf(r, user)
			return func() string { return submits(r, form) }
		},
		"Approve several": func(r *commandstest.Rig, user string) func() string {
			form := selectsAs(r, user, "order001")
			return func() string { return submits(r, form) }
		},
		"a job of another replica": func(r *commandstest.Rig, user string) func() string {
			seen := kit.DecodeMeta(formOf(r, user).View.PrivateMetadata)
			return func() string {
				before := r.Seen()
				args := jobs.ChangeArgs{Asker: answers.Asker{Team: "T1", User: user, At: time.Now()}, Order: "order001", Revision: seen.Revision, Pictures: seen.Pictures}
				require.NoError(r.T, r.Jobs.Putter.Put(r.T.Context(), job.Approve, "approve:elsewhere", "order:order001", args))
				r.Settle(10 * time.Second)
				return r.Since(before)
			}
		},
	}
}

// formOf returns the submission of a person's open approval form.
func formOf(r *commandstest.Rig, user string) bot.Request {
	r.T.Helper()
	r.Says(user, "C1", "approve order001")
	form := r.Completed(nil)
	form.User = user
	return form
}

// submitsIfOpen submits the last opened form, if there is one.
func submitsIfOpen(r *commandstest.Rig, user string) string {
	if !strings.Contains(r.Screen.Modal(), `"submit"`) {
		return r.Screen.Modal()
	}
	form := r.Completed(nil)
	form.User = user
	return submits(r, form)
}

func submits(r *commandstest.Rig, form bot.Request) string {
	r.T.Helper()
	before := r.Seen()
	shown := r.Answers(form)
	r.Settle(10 * time.Second)
	return shown + r.Since(before) + r.Screen.Modal()
}

// approversOf returns settings that name the person, or somebody else, as approver.
func approversOf(who role) store.Decides {
	switch {
	case who.group:
		return store.Decides{ApproverGroups: []string{"S1"}}
	case who.may:
		return store.Decides{Approvers: []string{who.user}}
	}
	return store.Decides{Approvers: []string{"chief"}}
}

func TestOnlyApproversApproveWhicheverWayTheyTry(t *testing.T) {
	for path, prepare := range approvalPaths() {
		for name, who := range roles() {
			t.Run(path+" by "+name, func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					r.SetUpWorkspace()
					r.Owns("order001", "C1", who.user, func(o *order.Order) {
						o.Status, o.EditedImages = order.StatusReviewing, []order.EditedImage{{ID: "image1", Name: "beach.jpg"}}
					})
					tries := prepare(r, who.user)
					settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Decides: approversOf(who)})
					who.becomes(r)
					read := tries()
					require.Equal(r.T, who.may, r.Stored("order001").Order.Status == order.StatusClosed, read)
					if !who.may {
						require.Zero(r.T, r.Service.Called("approve"))
						require.Contains(r.T, read, who.reads)
					}
				})
			})
		}
	}
}

// heldOrder returns the hold of maria's order.
func heldOrder(r *commandstest.Rig, decides store.Decides) store.Hold {
	r.T.Helper()
	settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Decides: decides})
	r.Types("new")
	r.Submits()
	r.Settle(10 * time.Second)
	require.Zero(r.T, r.Service.Called("create"))
	require.NotNil(r.T, r.Draft().Hold)
	return *r.Draft().Hold
}

func TestOnlyApproversAllowWhatGoesOverALimit(t *testing.T) {
	for name, who := range roles() {
		for action, places := range map[string]int{place.ActionAllow: 1, place.ActionDecline: 0} {
			t.Run(action+" by "+name, func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					r.SetUpWorkspace()
					limits := approversOf(who)
					limits.Spenders = []string{"chief"}
					h := heldOrder(r, limits)
					who.becomes(r)
					press := bot.Request{Name: action, Value: h.ID(), User: who.user}
					read := r.Does(press) + r.Does(press) // and once more
					r.Settle(time.Minute)
					_, decision, err := r.Store.Holds.Hold(r.T.Context(), h.ID())
					require.NoError(r.T, err)
					if !who.may {
						require.Nil(r.T, decision)
						require.Zero(r.T, r.Service.Called("create"))
						require.Contains(r.T, read, strings.Replace(who.reads, "There is no ", "This question is closed", 1))
						return
					}
					require.Equal(r.T, who.user, decision.By)
					require.Equal(r.T, places, r.Service.Called("create"))
				})
			})
		}
	}
}

// Two approvers press at once on two replicas: the first decision counts, once.
func TestTwoApproversDecideOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		h := heldOrder(r, store.Decides{Approvers: []string{"tom", "boss"}, Spenders: []string{"tom"}})
		require.NotContains(r.T, r.Does(bot.Request{Name: place.ActionAllow, Value: h.ID(), User: "tom"}), "already")
		require.Contains(r.T, r.Does(bot.Request{Name: place.ActionDecline, Value: h.ID(), User: "boss"}), "tom has already allowed")
		r.Assemble()
		require.NoError(r.T, r.Jobs.Decisions.PutDecision(r.T.Context(), h))
		r.Settle(time.Minute)
		require.Equal(r.T, 1, r.Service.Called("create"))
		placed := r.Stored(r.Draft().OrderID)
		require.Equal(r.T, "tom", placed.Brief.AllowedBy)
		require.False(r.T, placed.Brief.AllowedAt.IsZero())
	})
}

// Orders submitted at the same moment count towards the same month, before the service returns their cost.
func TestOrdersOfOneMomentShareTheMonth(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		limits := store.Decides{Approvers: []string{"tom"}, MonthLimit: 5}
		settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Decides: limits})
		run, err := r.Store.Server.Run(r.T.Context())
		require.NoError(r.T, err)
		var drafts []store.Draft
		for _, name := range []string{"Hats", "Caps", "Hoods", "Berets"} {
			sent, _, err := r.Store.Drafts.Submit(r.T.Context(), store.Draft{
				ID: name, Team: "T1", User: "maria", Channel: "C1", Run: run.ID, OpenedAt: time.Now(), ProjectName: name, Service: order.ServiceBasic,
				Instructions: []string{"brighten"}, URLs: []string{"https://example.com/a.jpg", "https://example.com/b.jpg"}, Attempt: 1, State: store.DraftOpen,
			})
			require.NoError(r.T, err)
			drafts = append(drafts, sent)
		}
		for _, sent := range drafts {
			require.NoError(r.T, r.Jobs.Place.PutPlace(r.T.Context(), sent, ""))
		}
		r.Settle(time.Minute)
		require.Equal(r.T, 2, r.Service.Called("create"), "two images each, a credit an image")
		held := 0
		for _, sent := range drafts {
			d, err := r.Store.Drafts.Draft(r.T.Context(), sent.ID)
			require.NoError(r.T, err)
			if d.IsHeld() {
				held++
				require.Equal(r.T, store.HoldMonth, d.Hold.Why)
				require.Equal(r.T, "4", d.Hold.Spent.String())
			}
		}
		require.Equal(r.T, 2, held)
	})
}

// An order that changed after the approver saw it is not placed by *Allow*: its submission asks again.
func TestAnAllowanceIsForWhatWasShown(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		h := heldOrder(r, store.Decides{Approvers: []string{"tom"}, Spenders: []string{"tom"}})
		_, err := r.Store.Drafts.EditDraft(r.T.Context(), h.Draft, func(d *store.Draft) error {
			d.URLs = append(d.URLs, "https://example.com/b.jpg")
			return nil
		})
		require.NoError(r.T, err)
		require.Contains(r.T, r.Does(bot.Request{Name: place.ActionAllow, Value: h.ID(), User: "tom"}), "was changed, placed or discarded")
		r.Settle(time.Minute)
		require.Zero(r.T, r.Service.Called("create"))
		require.Equal(r.T, store.DraftRefused, r.Draft().State, "it is still hers to submit")
	})
}

func TestWhoIsNamedAndOperatorsAloneSetWhoDecides(t *testing.T) {
	for user, may := range map[string]bool{"tom": true, "boss": true, "maria": false} {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.SetUpWorkspace()
			before := store.Settings{Decides: store.Decides{Approvers: []string{"tom"}}}
			settingstest.Save(r.T, r.Store, "T1", "C1", before)
			r.Says("boss", "C1", "settings") // an open form, whoever submits it
			overview := r.Screen.View(r.Screen.Last())
			overview.Type = slack.VTModal
			r.Click(bot.Request{Kind: bot.KindAction, Name: cardssettings.ActionChangePart, Value: cardssettings.Approval.Value(), User: "boss", View: &overview})
			form := r.Completed(map[string]slack.BlockAction{"approvers": {SelectedUsers: []string{"UMARIA"}}})
			form.User = user
			shown := r.Answers(form)
			after, err := r.Store.Settings.Of(r.T.Context(), "T1", "C1")
			require.NoError(r.T, err)
			if may {
				require.Equal(r.T, []string{"UMARIA"}, after.Decides.Approvers)
				return
			}
			require.Equal(r.T, before, after)
			require.Contains(r.T, shown, "Only the approvers and operators change this")
		})
	}
}

// While Slack does not return a group's members, nobody passes and nobody is refused for good: a form says to try
// again, and a job waits.
func TestAGroupThatSlackDoesNotTellOfLetsNobodyThrough(t *testing.T) {
	for path, prepare := range approvalPaths() {
		t.Run(path, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				waitForMaria(r, 1)
				r.Screen.GroupsIn(map[string][]string{"S1": {"maria"}})
				tries := prepare(r, "maria")
				settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Decides: store.Decides{ApproverGroups: []string{"S1"}}})
				r.Screen.GroupsFail(client.ErrTryLater)
				read := tries()
				require.Zero(r.T, r.Service.Called("approve"), read)
				require.NotContains(r.T, read, "subteam^S1")
				r.Screen.GroupsIn(map[string][]string{"S1": {"maria"}})
				r.Settle(10 * time.Minute)
				if strings.Contains(path, "job") || strings.Contains(path, "open") || strings.Contains(path, "several") {
					require.Equal(r.T, 1, r.Service.Called("approve"), "the job waited")
					return
				}
				require.Contains(r.T, read, "Try again")
			})
		})
	}
}

// Placing an order checks the groups of spenders and of approvers.
func TestMembersOfAGroupOrderWithoutAsking(t *testing.T) {
	limits := store.Decides{ApproverGroups: []string{"S1"}, SpenderGroups: []string{"S2"}}
	for name, row := range map[string]struct {
		groups map[string][]string
		placed int
	}{
		"a spender":   {map[string][]string{"S2": {"maria"}}, 1},
		"an approver": {map[string][]string{"S1": {"maria"}}, 1},
		"of neither":  {map[string][]string{"S1": {"tom"}, "S2": {"tom"}, "S3": {"maria"}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Decides: limits})
				r.Screen.GroupsIn(row.groups)
				r.Types("new")
				r.Submits()
				r.Settle(10 * time.Second)
				require.Equal(r.T, row.placed, r.Service.Called("create"))
				if row.placed == 0 {
					require.Equal(r.T, []string{"S1"}, r.Draft().Hold.Asks)
				}
			})
		})
	}
}
