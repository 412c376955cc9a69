package commands

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// letter is a dead job of a kind, as maria asked for it.
func (r *rig) letter(kind string, state any) queue.DeadLetter {
	r.t.Helper()
	body, err := json.Marshal(map[string]any{
		"team": "T1", "user": "maria", "channel": "C1", "thread": card, "ts": "200.1", "at": time.Now(),
		"draft": r.draft().ID, "opened": true, "order": "order1", "text": "Softer light.",
	})
	require.NoError(r.t, err)
	l := queue.DeadLetter{Job: queue.Job{ID: kind + ":dead", Lane: "test", Kind: kind, Body: body}, Reason: "x", At: time.Now()}
	if state != nil {
		l.State, err = json.Marshal(state)
		require.NoError(r.t, err)
	}
	return l
}

func TestEveryKindOfJobHasAnEndingInWordsThatNameIt(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		require.NoError(r.t, r.store.Note(r.t.Context(), relayNote("T1", "C1", "200.1"), relayed{Order: "order1", Delivered: true}, time.Hour))
		for name, k := range r.kinds {
			require.NotNil(r.t, k.work, name)
			require.NotEqual(r.t, k.unasked, k.asked != "", "%s: either somebody asked for it, in words, or nobody did", name)
			before := r.seen()
			r.Died(r.t.Context(), r.letter(name, nil))
			r.settle(time.Second)
			said := r.since(before)
			if k.unasked {
				require.Empty(r.t, said, "%s: nobody asked", name)
				continue
			}
			require.Contains(r.t, said, "I could not finish what you asked for ("+k.asked+")", name)
			require.Contains(r.t, said, k.truth(r.letter(name, nil)), name)
			require.Contains(r.t, said, Mark(name+":dead"), name)
		}
	})
}

func TestWhoDidNotAskHearsNothingOfADeadJob(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		for name, dead := range map[string]struct {
			kind string
			body any
		}{
			"who came into a channel":         {joinedJob, joining{Team: "T1", Channel: "C1", User: "maria", Event: "Ev1"}},
			"whose Home is only kept current": {homeJob, homing{Team: "T1", User: "maria"}},
			"who edits what no editor has":    {editJob, editing{asker: asker{Team: "T1", User: "maria", Channel: "C1"}, TS: "9.9"}},
		} {
			body, err := json.Marshal(dead.body)
			require.NoError(r.t, err)
			before := r.seen()
			r.Died(r.t.Context(), queue.DeadLetter{Job: queue.Job{ID: "dead", Kind: dead.kind, Body: body}})
			r.settle(time.Second)
			require.Empty(r.t, r.since(before), name)
		}
	})
}

// A channel's catch-up that fails for good is nothing to whoever came in.
func TestACatchUpThatDiesTellsNobody(t *testing.T) {
	bubble(t, func(r *rig) {
		r.screen.nobody = fmt.Errorf("auth.test: %w", bot.ErrPayload)
		_, err := r.joined(r.t.Context(), bot.Request{ID: "Ev1", Team: "T1", Event: json.RawMessage(`{"user":"ben","channel":"C1"}`)})
		require.NoError(r.t, err)
		r.settle(time.Hour)
		require.EqualValues(r.t, 1, r.stats().Dead)
		require.Empty(r.t, r.screen.dms)
		require.Empty(r.t, r.screen.told)
	})
}

func TestADeadJobSaysWhatBecameOfIt(t *testing.T) {
	for name, test := range map[string]struct {
		kind  string
		state any
		says  string
	}{
		"a message that never left":                 {messageJob, nil, nothingSent},
		"a message that was not taken":              {messageJob, errandState{Phase: answered, Sends: 1, End: endKept}, nothingSent},
		"a message without an answer":               {messageJob, errandState{Phase: sending, Sends: 1}, mayBeSent},
		"a message nobody ever answered":            {messageJob, errandState{Phase: answered, Sends: 20, End: endKept, Unsent: cards.Unsent{Doubt: true}}, mayBeSent},
		"a message of what is untracked":            {relayJob, errandState{Phase: answered, Sends: 1, End: endHidden}, mayBeSent},
		"a message of a guest":                      {relayJob, errandState{Phase: answered, End: endGuest}, nothingSent},
		"a message that arrived":                    {messageJob, errandState{Phase: arrived, Sends: 1}, wasSent},
		"a relay that was delivered":                {relayJob, errandState{Phase: answered, Sends: 1, End: endDelivered}, wasSent},
		"images without an answer":                  {referenceJob, errandState{Phase: sending, Sends: 2}, mayBeSent},
		"an approval that never left":               {approveJob, changeState{Waits: 3}, nothingSent},
		"an approval without an answer":             {approveJob, changeState{Phase: sending, Sends: 1}, mayBeSent},
		"a cancellation refused after one in doubt": {cancelJob, changeState{Phase: answered, Sends: 2, TooLate: true}, mayBeSent},
		"a cancellation of what is untracked":       {cancelJob, changeState{Phase: answered, Sends: 1, Hidden: true}, mayBeSent},
		"a cancellation that was denied":            {cancelJob, changeState{Phase: answered, Denied: "too late"}, nothingSent},
		"a state that cannot be read":               {reviseJob, "odd", mayBeSent},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inThread()
				r.Died(r.t.Context(), r.letter(test.kind, test.state))
				r.settle(time.Second)
				said := strings.Join(r.screen.dms, "")
				require.Contains(r.t, said, test.says)
				if test.kind == messageJob {
					require.Contains(r.t, said, "Softer light.", "the words are given back")
				}
			})
		})
	}
}

func TestWhoOnlyTalkedHearsThatNothingWasSent(t *testing.T) {
	bubble(t, func(r *rig) {
		r.relays(store.RelayReplies)
		root := r.begins(card, "UDARKROOM", r.cardless())
		root.meets(fmt.Errorf("conversations.replies: %w", bot.ErrPayload))
		r.hears(r.event("message", map[string]any{"text": "Softer"}))
		r.settle(time.Hour)
		require.Len(r.t, r.screen.told, 1)
		require.Contains(r.t, r.screen.lastTold(), "could not find out which order")
		require.Empty(r.t, r.screen.dms)
	})
}
