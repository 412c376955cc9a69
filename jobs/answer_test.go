package jobs_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store/queue"

	"github.com/stretchr/testify/require"
)

func TestALateOutcomeIsADirectMessageWithTheWayToTheCard(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		o, err := r.Store.Orders.Order(r.T.Context(), id)
		require.NoError(r.T, err)
		require.NoError(r.T, r.Store.Announcements.CardPosted(r.T.Context(), id, o.Owner.Generation, commandstest.CardTS, o.Version))
		window := r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))
		r.Screen.Closes()
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Sends("maria", window, nil)
		r.Settle(5 * time.Minute)
		r.Service.Set(func(f *commandstest.Service) { f.Down = false })
		r.Settle(5 * time.Minute)
		require.Empty(r.T, r.Screen.Ephemerals, "it would be gone at the next reload")
		require.Len(r.T, r.Screen.DMs, 2, "that it waits, and that it is done")
		require.Contains(r.T, r.Screen.LastMessage(), "Approved")
		require.Contains(r.T, r.Screen.LastMessage(), "https://acme.slack.com/archives/C1/p"+strings.ReplaceAll(commandstest.CardTS, ".", ""))
	})
}

func TestAnOutcomeIsToldOnceHoweverOftenItsJobIsDelivered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Refused("the order is archived"))
		body, err := json.Marshal(jobs.MessageArgs{
			Asker: answers.Asker{Team: "T1", User: "maria", Channel: "C1", At: time.Now()}, Order: "order1", Text: "Softer.",
		})
		require.NoError(r.T, err)
		d := &queue.Delivery{Job: queue.Job{ID: "job", Kind: job.Message, Body: body}, First: true, SameRun: true}
		for range 3 {
			require.NoError(r.T, r.Doing(job.Message)(r.T.Context(), d))
		}
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.DMs[0], "Softer.", "with her words")
	})
}

// Nobody knows whether the message is out: it is looked for before it is sent again.
func TestAnOutcomeThatMayBeOutIsLookedForBeforeItIsToldAgain(t *testing.T) {
	for name, row := range map[string]struct {
		unsure []bool // whether each message that Slack does not confirm is there
		scopes []string
		told   int
	}{
		"it arrived":                      {[]bool{true}, nil, 1},
		"it did not":                      {[]bool{false}, nil, 1},
		"twice it did not":                {[]bool{false, false}, nil, 1},
		"nobody can look, and it arrived": {[]bool{true}, []string{"chat:write"}, 1},
		"nobody can look, and it did not": {[]bool{false}, []string{"chat:write"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				r.Screen.Set(func(s *commandstest.Screen) { s.LostAnswers, s.Scopes = row.unsure, row.scopes })
				r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Refused("the order is archived"))
				r.Types("message order1 Softer.")
				r.Settle(8 * time.Second)
				require.Len(r.T, r.Screen.Sent(), map[bool]int{true: 1}[row.unsure[0]], "it may be under way still")
				r.Settle(10 * time.Minute)
				sent := r.Screen.Sent()
				require.Len(r.T, sent, row.told)
				for _, m := range sent {
					require.Contains(r.T, m.Text, "the order is archived")
				}
				require.Zero(r.T, r.Stats().Jobs)
			})
		})
	}
}

func TestAnOutcomeThatSlackTakesLaterIsToldAsSoonAsItDoes(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Screen.Set(func(s *commandstest.Screen) { s.Busy = 1 })
		r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Refused("the order is archived"))
		r.Types("message order1 Softer.")
		require.Empty(r.T, r.Screen.Sent())
		r.Settle(6 * time.Second)
		require.Len(r.T, r.Screen.Sent(), 1, "nobody needs to look for what was refused")
	})
}

// What was said before in the same words answered something else.
func TestAnotherAnswerInTheSameWordsIsNotTakenForThisOne(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		refused := commandstest.Refused("the order is archived")
		r.Service.NextMessage = append(r.Service.NextMessage, refused, refused)
		r.Types("message order1 Softer.")
		require.Len(r.T, r.Screen.Sent(), 1)
		r.Screen.Set(func(s *commandstest.Screen) { s.LostAnswers = []bool{false} })
		r.Types("message order1 Softer.")
		require.Len(r.T, r.Screen.Sent(), 1, "lost")
		r.Settle(10 * time.Minute)
		sent := r.Screen.Sent()
		require.Len(r.T, sent, 2)
		require.Equal(r.T, sent[0].Text, sent[1].Text)
	})
}

func TestWhoCanHaveNoDirectMessageIsToldWhereTheyAsked(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Screen.NoDMs = client.ErrNoUser
		r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Refused("the order is archived"))
		r.Types("message order1 Softer.")
		require.Empty(r.T, r.Screen.DMs)
		require.Contains(r.T, r.Screen.LastMessage(), "the order is archived")
	})
}

func TestASmallAnswerToALineStaysWhereItWasTyped(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Types("message order1 Softer.")
		require.Empty(r.T, r.Screen.DMs)
		require.Contains(r.T, r.Screen.LastMessage(), "Sent to the editor")
	})
}
