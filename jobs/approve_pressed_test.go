package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
)

// presses presses *Approve* beside the current pictures and returns what the person is told.
func presses(r *commandstest.Rig, user, value string) string {
	r.T.Helper()
	return r.Does(bot.Request{Name: cards.ActionApproveShown, Value: value, User: user})
}

func TestAPressedApprovalNeedsNoWindow(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		opened := r.Screen.Last()
		require.Empty(r.T, presses(r, "ben", beside(r, id)), "the message says it")
		require.Equal(r.T, opened, r.Screen.Last(), "no window")
		require.Len(r.T, r.Events(order.EventApproved), 1)
		require.Equal(r.T, "ben", r.Events(order.EventApproved)[0].Actor)
		require.Empty(r.T, r.Events(order.EventApproved)[0].Words)
	})
}

// The message shows what goes on from the press on, so that nobody presses again, and asks again if nothing came of it.
func TestAPressedApprovalIsShownAtOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		var meanwhile store.Tracked
		r.Service.NextApprove = append(r.Service.NextApprove, func(do func() order.Order) (order.Order, error) {
			r.Service.Unlock()
			meanwhile = r.Stored(id)
			r.Service.Lock()
			return commandstest.Refused("the account is locked")(do)
		})
		require.Contains(r.T, presses(r, "maria", beside(r, id)), "the account is locked")
		require.Equal(r.T, []store.Wait{{Verb: order.VerbApprove, Actor: "maria", Begun: true}}, meanwhile.Waiting(time.Now()))
		require.False(r.T, meanwhile.Offers(order.VerbApprove, time.Now()))
		require.Empty(r.T, r.Stored(id).Waiting(time.Now()))
		require.Nil(r.T, r.Stored(id).Intent)
		require.Empty(r.T, r.Events(order.EventApproved))
	})
}

func TestAPressedApprovalThatWaitsSaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		presses(r, "maria", beside(r, id))
		r.Settle(20 * time.Second)
		require.Contains(r.T, r.Screen.LastMessage(), "Nothing was sent yet")
		require.Equal(r.T, []store.Wait{{Verb: order.VerbApprove, Actor: "maria"}}, r.Stored(id).Waiting(time.Now()))
		r.Service.Set(func(f *commandstest.Service) { f.Down = false })
		r.Settle(3 * time.Minute)
		require.Len(r.T, r.Events(order.EventApproved), 1)
	})
}

// However one press reaches the app, and whoever presses at once: the order is approved once, and all are told so.
func TestAPressedApprovalCountsOnce(t *testing.T) {
	for name, row := range map[string]struct {
		second string // who presses again
		id     string // of the second press; the first is 1
		told   string
	}{
		"brought twice by Slack": {"maria", "1", ""},
		"a double click":         {"maria", "2", "You approved it a moment ago"},
		"two people":             {"ben", "2", "maria approved it a moment ago"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				value := beside(r, r.InReview())
				before := r.Seen()
				for i, press := range []struct{ user, id string }{{"maria", "1"}, {row.second, row.id}} {
					_, err := r.Handle(r.T.Context(), bot.Request{
						Kind: bot.KindAction, Name: cards.ActionApproveShown, Value: value, ID: "press" + press.id, TriggerID: fmt.Sprint(i),
						Team: "T1", User: press.user, Channel: "C1", At: time.Now(),
					})
					require.NoError(r.T, err)
				}
				r.Settle(time.Second)
				require.Equal(r.T, 1, r.Service.Approves)
				require.Len(r.T, r.Events(order.EventApproved), 1)
				require.Equal(r.T, "maria", r.Events(order.EventApproved)[0].Actor)
				if row.told == "" {
					require.Empty(r.T, r.Since(before))
				} else {
					require.Contains(r.T, r.Since(before), row.told)
				}
			})
		})
	}
}

// Photos that the message does not show are not approved: the app shows the newer ones if it knows them, else it says
// so.
func TestAPressApprovesOnlyThePhotosBesideIt(t *testing.T) {
	for name, known := range map[string]bool{"newer photos are known": true, "the service alone has them": false} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.InReview()
				old := beside(r, id)
				r.Service.Edit(id, replaced)
				if known {
					r.Record()
				}
				told := presses(r, "maria", old)
				require.Contains(r.T, told, otherImages)
				require.Contains(r.T, told, "Nothing was approved")
				require.Zero(r.T, r.Service.Approves)
				require.Empty(r.T, r.Stored(id).Waiting(time.Now()))
				presses(r, "maria", beside(r, id))
				require.Len(r.T, r.Events(order.EventApproved), 1)
			})
		})
	}
}

func TestAButtonFromBeforeThePhotosApprovesNone(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		before := r.Stored(r.InReview())
		before.Order.EditedImages = nil
		require.Contains(r.T, presses(r, "maria", cards.SeenValue(before)), otherImages)
		require.Zero(r.T, r.Service.Approves)
	})
}

// Who may not approve is told why, and the channel sees nothing of it.
func TestAPressByWhoMayNot(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Screen.Guests = map[string]bool{"ines": true}
		r.Screen.Out = map[string]bool{"tom": true}
		require.Contains(r.T, presses(r, "ines", beside(r, id)), "Guests may look")
		require.Contains(r.T, presses(r, "tom", beside(r, id)), "There is no order")
		require.Zero(r.T, r.Service.Approves)
		require.Empty(r.T, r.Stored(id).Waits)
	})
}

func TestAPressedCancellation(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Placed()
		require.Empty(r.T, r.Does(bot.Request{Name: cards.ActionCancelNow, Value: cards.Value(id, 0), User: "maria"}))
		require.Len(r.T, r.Events(order.EventCanceled), 1)
		require.Equal(r.T, "maria", r.Events(order.EventCanceled)[0].Actor)
	})
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Placed()
		r.Service.NextCancel = []commandstest.ServiceAnswer{commandstest.Refused("15 min deadline passed")}
		told := r.Does(bot.Request{Name: cards.ActionCancelNow, Value: cards.Value(id, 0), User: "maria"})
		require.True(r.T, commandstest.ContainsAll(told, "15 min deadline passed", "too late", "Message the Editor"), told)
		require.Empty(r.T, r.Events(order.EventCanceled))
	})
}
