package jobs_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/talk"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// letter returns a dead letter of maria's of this kind.
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
		require.NoError(r.T, r.Store.Documents.PutTTL(r.T.Context(), jobs.RelayDoc("T1", "C1", "200.1"), jobs.Relayed{Order: "order1", Delivered: true}, time.Hour))
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
			require.Contains(r.T, said, "I could not finish your request ("+k.Asked+")", name)
			require.Contains(r.T, said, k.Truth(letter(r, name, nil)), name)
			require.Contains(r.T, said, job.ShortRef(name+":dead"), name)
		}
	})
}

func TestWhoCouldNotBeToldOfADeadJobIsToldWhenSlackIsBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		dead := letter(r, job.Message, nil)
		r.Screen.Busy = 1
		require.ErrorIs(r.T, r.Jobs.Died(r.T.Context(), dead), client.ErrTryLater, "the queue comes again")
		require.Empty(r.T, r.Screen.DMs)
		require.NoError(r.T, r.Jobs.Died(r.T.Context(), dead))
		require.Len(r.T, r.Screen.DMs, 1)

		r.Screen.NoDMs = client.ErrNoUser
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
			"who came into a channel":         {job.Joined, jobs.CatchUpArgs{Team: "T1", Channel: "C1", User: "maria", Event: "Ev1"}},
			"whose Home is only kept current": {job.Home, jobs.HomeArgs{Team: "T1", User: "maria"}},
			"who edits what no editor has":    {job.Edit, jobs.EditArgs{Asker: answers.Asker{Team: "T1", User: "maria", Channel: "C1"}, TS: "9.9"}},
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

// The person who invited the app hears nothing of a catch-up that is a dead letter.
func TestACatchUpThatDiesTellsNobody(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Screen.NoIdentity = fmt.Errorf("auth.test: %w", client.ErrPayload)
		_, err := r.Handle(r.T.Context(), bot.Request{Kind: bot.KindEvent, Name: "member_joined_channel", ID: "Ev1", Team: "T1", Event: json.RawMessage(`{"user":"ben","channel":"C1"}`)})
		require.NoError(r.T, err)
		r.Settle(time.Hour)
		require.EqualValues(r.T, 1, r.Stats().Dead)
		require.Empty(r.T, r.Screen.DMs)
		require.Empty(r.T, r.Screen.Ephemerals)
	})
}

func TestADeadJobSaysWhatBecameOfIt(t *testing.T) {
	for name, test := range map[string]struct {
		kind  string
		state any
		says  string
	}{
		"a message that never left":                 {job.Message, nil, job.NothingSent},
		"a message that was not taken":              {job.Message, jobs.OutboundState{Progress: job.Progress{Phase: job.Answered, Sends: 1}, End: job.EndReturned}, job.NothingSent},
		"a message without an answer":               {job.Message, jobs.OutboundState{Progress: job.Progress{Phase: job.Sending, Sends: 1}}, job.MayBeSent},
		"a message nobody ever answered":            {job.Message, jobs.OutboundState{Progress: job.Progress{Phase: job.Answered, Sends: 20}, End: job.EndReturned, Unsent: talk.Unsent{Unknown: true}}, job.MayBeSent},
		"a message of what is untracked":            {job.Relay, jobs.OutboundState{Progress: job.Progress{Phase: job.Answered, Sends: 1}, End: jobs.EndHidden}, job.MayBeSent},
		"a message of a guest":                      {job.Relay, jobs.OutboundState{Progress: job.Progress{Phase: job.Answered}, End: jobs.EndGuest}, job.NothingSent},
		"a message that arrived":                    {job.Message, jobs.OutboundState{Progress: job.Progress{Phase: job.Arrived, Sends: 1}}, job.WasSent},
		"a relay that was delivered":                {job.Relay, jobs.OutboundState{Progress: job.Progress{Phase: job.Answered, Sends: 1}, End: job.EndDelivered}, job.WasSent},
		"images without an answer":                  {job.Reference, jobs.OutboundState{Progress: job.Progress{Phase: job.Sending, Sends: 2}}, job.MayBeSent},
		"an approval that never left":               {job.Approve, jobs.ChangeState{Progress: job.Progress{Waits: 3}}, job.NothingSent},
		"an approval without an answer":             {job.Approve, jobs.ChangeState{Progress: job.Progress{Phase: job.Sending, Sends: 1}}, job.MayBeSent},
		"a cancellation refused after one in doubt": {job.Cancel, jobs.ChangeState{Progress: job.Progress{Phase: job.Answered, Sends: 2}, TooLate: true}, job.MayBeSent},
		"a cancellation of what is untracked":       {job.Cancel, jobs.ChangeState{Progress: job.Progress{Phase: job.Answered, Sends: 1}, Hidden: true}, job.MayBeSent},
		"a cancellation that was denied":            {job.Cancel, jobs.ChangeState{Progress: job.Progress{Phase: job.Answered}, Denied: "too late"}, job.NothingSent},
		"a state that cannot be read":               {job.Revise, "odd", job.MayBeSent},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InThread()
				require.NoError(r.T, r.Jobs.Died(r.T.Context(), letter(r, test.kind, test.state)))
				r.Settle(time.Second)
				said := strings.Join(r.Screen.DMs, "")
				require.Contains(r.T, said, test.says)
				if test.kind == job.Message {
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
		root.Meets(fmt.Errorf("conversations.replies: %w", client.ErrPayload))
		r.Hears(r.Event("message", map[string]any{"text": "Softer"}))
		r.Settle(time.Hour)
		require.Len(r.T, r.Screen.Messages, 1)
		require.Contains(r.T, r.Screen.LastMessage(), "could not find out which order")
	})
}
