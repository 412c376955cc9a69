package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// operators stands in for the operations channel.
type operators struct {
	sync.Mutex
	said []string
	away int  // that many sentences are not taken
	gone bool // no sentence is: there is no such channel
}

func (o *operators) hear(_ context.Context, sentence string) (bool, error) {
	o.Lock()
	defer o.Unlock()
	switch {
	case o.away > 0:
		o.away--
		return false, client.ErrTryLater
	case o.gone:
		return false, nil
	}
	o.said = append(o.said, sentence)
	return true, nil
}

// refuses makes Slack refuse to identify users.
func refuses(r *commandstest.Rig, class error) {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	r.Screen.NoUsers = class
}

func TestWhatAnOperatorMustMendKillsNothing(t *testing.T) {
	for name, class := range map[string]error{"a missing scope": client.ErrMissingScope, "a refused token": client.ErrToken} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InThread()
				ops := &operators{away: 1}
				r.Ops = ops.hear
				refuses(r, errors.Join(&client.Error{Method: "users.info", Code: "missing_scope", Needed: "users:read"}, class))
				r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
				r.Settle(4 * time.Hour)
				require.Empty(r.T, r.Conversation())
				require.Zero(r.T, r.Stats().Dead)
				require.Len(r.T, r.Screen.DMs, 1, "once")
				require.Contains(r.T, r.Screen.DMs[0], "Nothing was sent yet")
				require.Len(r.T, ops.said, 1, "once, though not at first")
				require.Contains(r.T, ops.said[0], "`users:read`")

				refuses(r, nil)
				r.Settle(time.Minute)
				require.Equal(r.T, []string{"Softer"}, r.Conversation())
				require.Equal(r.T, []string{"200.1 white_check_mark"}, r.Screen.Marks)
			})
		})
	}
}

// A person is not told to wait for operators who do not know.
func TestAPersonIsToldWhetherOperatorsKnow(t *testing.T) {
	refusal := errors.Join(&client.Error{Method: "users.info", Code: "missing_scope", Needed: "users:read"}, client.ErrMissingScope)
	for name, test := range map[string]struct {
		ops   *operators // nil: there is no such channel
		click string
		wait  string
	}{
		"operators were told":      {&operators{}, "I have told them.", "I have told them"},
		"nobody hears operations":  {nil, "Tell them", "Tell them"},
		"it could not be said":     {&operators{gone: true}, "Tell them", "Tell them"},
		"it is said at a later go": {&operators{away: 2}, "Tell them", "Tell them"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InThread()
				if test.ops != nil {
					r.Ops = test.ops.hear
				}
				refuses(r, refusal)
				require.Contains(r.T, r.Says("ben", "C1", "approve order1"), test.click)
				r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
				require.Len(r.T, r.Screen.DMs, 1)
				require.Contains(r.T, r.Screen.DMs[0], test.wait)
			})
		})
	}
}

// An operations channel that failed at first is notified once it works.
func TestOperatorsAreToldOnceTheirChannelIsThere(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		ops := &operators{gone: true}
		r.Ops = ops.hear
		refuses(r, errors.Join(&client.Error{Method: "users.info", Code: "missing_scope", Needed: "users:read"}, client.ErrMissingScope))
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		r.Settle(10 * time.Minute)
		ops.Lock()
		ops.gone = false
		ops.Unlock()
		r.Settle(10 * time.Minute)
		require.Len(r.T, ops.said, 1, "once")
	})
}

func TestWhoCouldNotBeToldThatTheirJobWaitsIsToldLater(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		refuses(r, client.ErrMissingScope)
		r.Screen.Busy = 1
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		r.Settle(20 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 1, "once, though not at first")
		require.Contains(r.T, r.Screen.DMs[0], "has to wait")
	})
}

func TestWhatIsNeverMendedIsDeadAndSaysWhatBecameOfIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		refuses(r, client.ErrMissingScope)
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		r.Settle(jobs.FixPatience + time.Hour)
		require.EqualValues(r.T, 1, r.Stats().Dead)
		require.Len(r.T, r.Screen.DMs, 2)
		require.Contains(r.T, r.Screen.DMs[1], job.NothingSent)
		require.Equal(r.T, []string{"200.1 warning"}, r.Screen.Marks)
	})
}

// A channel's members may see its orders. A refusal of Slack to list them proves nothing.
func TestARefusalToListMembersWaitsForAnOperator(t *testing.T) {
	refusals := map[string]error{
		"a missing scope": errors.Join(&client.Error{Method: "conversations.members", Code: "missing_scope", Needed: "groups:read"}, client.ErrMissingScope),
		"a refused token": errors.Join(&client.Error{Method: "conversations.members", Code: "token_revoked"}, client.ErrToken),
	}
	for name, class := range refusals {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				ops := &operators{}
				r.Ops = ops.hear
				id := r.InReview()
				window := r.Opens("ben", cards.ActionApprove, cards.Value(id, 0)) // maria asked for it: she may follow it
				r.Screen.SetChannels(map[string]commandstest.Channel{"C1": {Refuses: class}})
				r.Sends("ben", window, nil)
				r.Settle(time.Hour)
				require.NotContains(r.T, sight(r), "There is no order")
				require.Len(r.T, r.Screen.DMs, 1)
				require.Contains(r.T, r.Screen.DMs[0], "Nothing was sent yet")
				require.Len(r.T, ops.said, 1)
				r.Screen.SetChannels(map[string]commandstest.Channel{"C1": {Members: []string{"maria", "ben"}}})
				r.Settle(2 * time.Minute)
				require.Len(r.T, r.Events(order.EventApproved), 1)
				require.Equal(r.T, "ben", r.Events(order.EventApproved)[0].Actor)
			})
		})
	}
}

// The job does not wait for a person whom Slack does not show to the app.
func TestAPersonWhomSlackDoesNotShowIsToldThatNothingWasSent(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		refuses(r, client.ErrNoUser)
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		r.Settle(time.Hour)
		require.Zero(r.T, r.Stats().Dead)
		require.Empty(r.T, r.Conversation())
		said := strings.Join(r.Screen.DMs, "")
		require.Contains(r.T, said, "does not tell me if you belong to this workspace")
		require.Contains(r.T, said, "was not sent. Ask a full member")
	})
}

func TestTalkThatNobodyAskedToBringIsNotToldOfAMissingPermission(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		root := r.Begins(commandstest.CardTS, "UDARKROOM", cardless(r))
		root.Meets(commandstest.ErrNoScope)
		r.Relays(store.RelayReplies)
		r.Hears(r.Event("message", map[string]any{"text": "Softer"}))
		r.Settle(time.Hour)
		require.Empty(r.T, r.Screen.DMs)
		root.Meets(nil)
		r.Settle(time.Minute)
		require.Equal(r.T, []string{"Softer"}, r.Conversation())
	})
}

// The persons of jobs behind a job that waits for an operator are notified, too.
func TestWhoStandsBehindWhatMustBeMendedIsTold(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		refuses(r, client.ErrMissingScope)
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Warmer", "ts": "200.2", "user": "ben"}))
		r.Settle(20 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 2, "once each")
		for _, dm := range r.Screen.DMs {
			require.Contains(r.T, dm, "has to wait")
		}
		refuses(r, nil)
		r.Settle(2 * time.Minute)
		require.Equal(r.T, []string{"Softer", "Warmer"}, r.Conversation())
	})
}

func TestACatchUpWaitsForWhatMustBeMended(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Screen.Lock()
		r.Screen.NoIdentity = client.ErrToken
		r.Screen.Unlock()
		_, err := r.Handle(r.T.Context(), bot.Request{Kind: bot.KindEvent, Name: "member_joined_channel", ID: "Ev1", Team: "T1", Event: json.RawMessage(`{"user":"UDARKROOM","channel":"C1"}`)})
		require.NoError(r.T, err)
		r.Settle(20 * time.Minute)
		require.Zero(r.T, r.Stats().Dead)
		require.Empty(r.T, r.Screen.DMs)
	})
}
