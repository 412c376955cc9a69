package jobs_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/queue"
)

// letter is a dead job of a kind, as maria asked for it.
func letter(r *commandstest.Rig, kind string, state any) queue.DeadLetter {
	r.T.Helper()
	body, err := json.Marshal(map[string]any{
		"team": "T1", "user": "maria", "channel": "C1", "thread": commandstest.CardTS, "ts": "200.1", "at": time.Now(),
		"draft": r.Draft().ID, "opened": true, "order": "order1", "text": "Softer light.",
	})
	require.NoError(r.T, err)
	l := queue.DeadLetter{Job: queue.Job{ID: kind + ":dead", Lane: "test", Kind: kind, Body: body}, Reason: "x", At: time.Now()}
	if state != nil {
		l.State, err = json.Marshal(state)
		require.NoError(r.T, err)
	}
	return l
}

func TestEveryKindOfJobHasAnEndingInWordsThatNameIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		require.NoError(r.T, r.Store.PutTTL(r.T.Context(), jobs.RelayNote("T1", "C1", "200.1"), jobs.Relayed{Order: "order1", Delivered: true}, time.Hour))
		for _, name := range r.Jobs.Kinds().Names() {
			k, _ := r.Jobs.Kinds().Kind(name)
			before := r.Seen()
			require.NoError(r.T, r.Jobs.Died(r.T.Context(), letter(r, name, nil)))
			r.Settle(time.Second)
			said := r.Since(before)
			if k.Asked == "" {
				require.Empty(r.T, said, "%s: nobody asked", name)
				continue
			}
			require.Contains(r.T, said, "I could not finish what you asked for ("+k.Asked+")", name)
			require.Contains(r.T, said, k.Truth(letter(r, name, nil)), name)
			require.Contains(r.T, said, jobs.ShortRef(name+":dead"), name)
		}
	})
}

func TestWhoCouldNotBeToldOfADeadJobIsToldWhenSlackIsBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		dead := letter(r, jobs.MessageJob, nil)
		r.Screen.Busy = 1
		require.ErrorIs(r.T, r.Jobs.Died(r.T.Context(), dead), bot.ErrTryLater, "the queue comes again")
		require.Empty(r.T, r.Screen.DMs)
		require.NoError(r.T, r.Jobs.Died(r.T.Context(), dead))
		require.Len(r.T, r.Screen.DMs, 1)

		r.Screen.NoDMs = bot.ErrNoUser
		require.NoError(r.T, r.Jobs.Died(r.T.Context(), dead), "whom nobody can reach is not tried for ever")
	})
}

func TestWhoDidNotAskHearsNothingOfADeadJob(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		for name, dead := range map[string]struct {
			kind string
			body any
		}{
			"who came into a channel":         {jobs.JoinedJob, jobs.CatchUpArgs{Team: "T1", Channel: "C1", User: "maria", Event: "Ev1"}},
			"whose Home is only kept current": {jobs.HomeJob, jobs.HomeArgs{Team: "T1", User: "maria"}},
			"who edits what no editor has":    {jobs.EditJob, jobs.EditArgs{Asker: jobs.Asker{Team: "T1", User: "maria", Channel: "C1"}, TS: "9.9"}},
		} {
			body, err := json.Marshal(dead.body)
			require.NoError(r.T, err)
			before := r.Seen()
			require.NoError(r.T, r.Jobs.Died(r.T.Context(), queue.DeadLetter{Job: queue.Job{ID: "dead", Kind: dead.kind, Body: body}}))
			r.Settle(time.Second)
			require.Empty(r.T, r.Since(before), name)
		}
	})
}

// A channel's catch-up that fails for good is nothing to whoever came in.
func TestACatchUpThatDiesTellsNobody(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Screen.Nobody = fmt.Errorf("auth.test: %w", bot.ErrPayload)
		_, err := r.Handle(r.T.Context(), bot.Request{Kind: bot.KindEvent, Name: "member_joined_channel", ID: "Ev1", Team: "T1", Event: json.RawMessage(`{"user":"ben","channel":"C1"}`)})
		require.NoError(r.T, err)
		r.Settle(time.Hour)
		require.EqualValues(r.T, 1, r.Stats().Dead)
		require.Empty(r.T, r.Screen.DMs)
		require.Empty(r.T, r.Screen.Told)
	})
}

func TestADeadJobSaysWhatBecameOfIt(t *testing.T) {
	for name, test := range map[string]struct {
		kind  string
		state any
		says  string
	}{
		"a message that never left":                 {jobs.MessageJob, nil, jobs.NothingSent},
		"a message that was not taken":              {jobs.MessageJob, jobs.OutboundState{Progress: jobs.Progress{Phase: jobs.Answered, Sends: 1}, End: jobs.EndKept}, jobs.NothingSent},
		"a message without an answer":               {jobs.MessageJob, jobs.OutboundState{Progress: jobs.Progress{Phase: jobs.Sending, Sends: 1}}, jobs.MayBeSent},
		"a message nobody ever answered":            {jobs.MessageJob, jobs.OutboundState{Progress: jobs.Progress{Phase: jobs.Answered, Sends: 20}, End: jobs.EndKept, Unsent: cards.Unsent{Doubt: true}}, jobs.MayBeSent},
		"a message of what is untracked":            {jobs.RelayJob, jobs.OutboundState{Progress: jobs.Progress{Phase: jobs.Answered, Sends: 1}, End: jobs.EndHidden}, jobs.MayBeSent},
		"a message of a guest":                      {jobs.RelayJob, jobs.OutboundState{Progress: jobs.Progress{Phase: jobs.Answered}, End: jobs.EndGuest}, jobs.NothingSent},
		"a message that arrived":                    {jobs.MessageJob, jobs.OutboundState{Progress: jobs.Progress{Phase: jobs.Arrived, Sends: 1}}, jobs.WasSent},
		"a relay that was delivered":                {jobs.RelayJob, jobs.OutboundState{Progress: jobs.Progress{Phase: jobs.Answered, Sends: 1}, End: jobs.EndDelivered}, jobs.WasSent},
		"images without an answer":                  {jobs.ReferenceJob, jobs.OutboundState{Progress: jobs.Progress{Phase: jobs.Sending, Sends: 2}}, jobs.MayBeSent},
		"an approval that never left":               {jobs.ApproveJob, jobs.ChangeState{Progress: jobs.Progress{Waits: 3}}, jobs.NothingSent},
		"an approval without an answer":             {jobs.ApproveJob, jobs.ChangeState{Progress: jobs.Progress{Phase: jobs.Sending, Sends: 1}}, jobs.MayBeSent},
		"a cancellation refused after one in doubt": {jobs.CancelJob, jobs.ChangeState{Progress: jobs.Progress{Phase: jobs.Answered, Sends: 2}, TooLate: true}, jobs.MayBeSent},
		"a cancellation of what is untracked":       {jobs.CancelJob, jobs.ChangeState{Progress: jobs.Progress{Phase: jobs.Answered, Sends: 1}, Hidden: true}, jobs.MayBeSent},
		"a cancellation that was denied":            {jobs.CancelJob, jobs.ChangeState{Progress: jobs.Progress{Phase: jobs.Answered}, Denied: "too late"}, jobs.NothingSent},
		"a state that cannot be read":               {jobs.ReviseJob, "odd", jobs.MayBeSent},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InThread()
				require.NoError(r.T, r.Jobs.Died(r.T.Context(), letter(r, test.kind, test.state)))
				r.Settle(time.Second)
				said := strings.Join(r.Screen.DMs, "")
				require.Contains(r.T, said, test.says)
				if test.kind == jobs.MessageJob {
					require.Contains(r.T, said, "Softer light.", "the words are given back")
				}
			})
		})
	}
}

func TestWhoOnlyTalkedHearsThatNothingWasSent(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Relays(store.RelayReplies)
		root := r.Begins(commandstest.CardTS, "UDARKROOM", cardless(r))
		root.Meets(fmt.Errorf("conversations.replies: %w", bot.ErrPayload))
		r.Hears(r.Event("message", map[string]any{"text": "Softer"}))
		r.Settle(time.Hour)
		require.Len(r.T, r.Screen.Heard, 1)
		require.Contains(r.T, r.Screen.LastTold(), "could not find out which order")
	})
}
