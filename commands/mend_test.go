package commands

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
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/store"
)

// operators is the operations channel.
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
		return false, bot.ErrTryLater
	case o.gone:
		return false, nil
	}
	o.said = append(o.said, sentence)
	return true, nil
}

// refuses lets Slack refuse to say who anybody is.
func (r *rig) refuses(class error) {
	r.screen.Lock()
	defer r.screen.Unlock()
	r.screen.unknown = class
}

func TestWhatAnOperatorMustMendKillsNothing(t *testing.T) {
	for name, class := range map[string]error{"a missing scope": bot.ErrMissingScope, "a refused token": bot.ErrToken} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inThread()
				ops := &operators{away: 1}
				r.ops = ops.hear
				r.refuses(errors.Join(&bot.Error{Method: "users.info", Code: "missing_scope", Needed: "users:read"}, class))
				r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
				r.settle(20 * time.Hour)
				require.Empty(r.t, r.conversation())
				require.Zero(r.t, r.stats().Dead)
				require.Len(r.t, r.screen.dms, 1, "once")
				require.Contains(r.t, r.screen.dms[0], "Nothing was sent yet")
				require.Len(r.t, ops.said, 1, "once, though not at first")
				require.Contains(r.t, ops.said[0], "`users:read`")

				r.refuses(nil)
				r.settle(time.Minute)
				require.Equal(r.t, []string{"Softer"}, r.conversation())
				require.Equal(r.t, []string{"200.1 white_check_mark"}, r.screen.marks)
			})
		})
	}
}

// Nobody waits for operators who do not know.
func TestAPersonIsToldWhetherOperatorsKnow(t *testing.T) {
	refusal := errors.Join(&bot.Error{Method: "users.info", Code: "missing_scope", Needed: "users:read"}, bot.ErrMissingScope)
	for name, test := range map[string]struct {
		ops   *operators // nil: there is no such channel
		click string
		wait  string
	}{
		"operators were told":      {&operators{}, "I have told them.", "I have told them, and go on"},
		"nobody hears operations":  {nil, "please tell them", "please tell them"},
		"it could not be said":     {&operators{gone: true}, "please tell them", "please tell them"},
		"it is said at a later go": {&operators{away: 2}, "please tell them", "please tell them"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inThread()
				if test.ops != nil {
					r.ops = test.ops.hear
				}
				r.refuses(refusal)
				require.Contains(r.t, r.says("ben", "C1", "approve order1"), test.click)
				r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
				require.Len(r.t, r.screen.dms, 1)
				require.Contains(r.t, r.screen.dms[0], test.wait)
			})
		})
	}
}

// An operations channel that was mended hears of it, though it could not at first.
func TestOperatorsAreToldOnceTheirChannelIsThere(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		ops := &operators{gone: true}
		r.ops = ops.hear
		r.refuses(errors.Join(&bot.Error{Method: "users.info", Code: "missing_scope", Needed: "users:read"}, bot.ErrMissingScope))
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		r.settle(10 * time.Minute)
		ops.Lock()
		ops.gone = false
		ops.Unlock()
		r.settle(10 * time.Minute)
		require.Len(r.t, ops.said, 1, "once")
	})
}

func TestWhoCouldNotBeToldThatTheirJobWaitsIsToldLater(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.refuses(bot.ErrMissingScope)
		r.screen.busy = 1
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		r.settle(20 * time.Minute)
		require.Len(r.t, r.screen.dms, 1, "once, though not at first")
		require.Contains(r.t, r.screen.dms[0], "has to wait")
	})
}

func TestWhatIsNeverMendedIsSetAsideAndSaysWhatBecameOfIt(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.refuses(bot.ErrMissingScope)
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		r.settle(jobs.MendPatience + time.Hour)
		require.EqualValues(r.t, 1, r.stats().Dead)
		require.Len(r.t, r.screen.dms, 2)
		require.Contains(r.t, r.screen.dms[1], jobs.NothingSent)
		require.Equal(r.t, []string{"200.1 warning"}, r.screen.marks)
	})
}

// Who is in a channel decides who may see its orders: that Slack refuses to say so says nothing
// about them.
func TestARefusalToListMembersWaitsForAnOperator(t *testing.T) {
	refusals := map[string]error{
		"a missing scope": errors.Join(&bot.Error{Method: "conversations.members", Code: "missing_scope", Needed: "groups:read"}, bot.ErrMissingScope),
		"a refused token": errors.Join(&bot.Error{Method: "conversations.members", Code: "token_revoked"}, bot.ErrToken),
	}
	for name, class := range refusals {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				ops := &operators{}
				r.ops = ops.hear
				id := r.inReview()
				window := r.opens("ben", cards.ActionApprove, cards.Value(id, 0)) // maria asked for it: she may follow it
				r.screen.setRooms(map[string]room{"C1": {refuses: class}})
				r.sends("ben", window, nil)
				r.settle(time.Hour)
				require.NotContains(r.t, r.sight(), "There is no order")
				require.Len(r.t, r.screen.dms, 1)
				require.Contains(r.t, r.screen.dms[0], "Nothing was sent yet")
				require.Len(r.t, ops.said, 1)
				r.screen.setRooms(map[string]room{"C1": {members: []string{"maria", "ben"}}})
				r.settle(2 * time.Minute)
				require.Len(r.t, r.approvals(), 1)
				require.Equal(r.t, "ben", r.approvals()[0].Actor)
			})
		})
	}
}

// What Slack refuses to list is not called nothing.
func TestARefusalToTellSomebodysChannelsIsNoEmptyList(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.screen.Lock()
		r.screen.unlisted = bot.ErrMissingScope
		r.screen.Unlock()
		require.Contains(r.t, r.says("ben", "D1", "approve"), "Slack refuses me something")
	})
}

// A person whom Slack does not show to the app cannot be waited for.
func TestAPersonWhomSlackDoesNotShowIsToldThatNothingWasSent(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.refuses(bot.ErrNoUser)
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		r.settle(time.Hour)
		require.Zero(r.t, r.stats().Dead)
		require.Empty(r.t, r.conversation())
		said := strings.Join(r.screen.told, "")
		require.Contains(r.t, said, "does not tell me whether you belong to this workspace")
		require.Contains(r.t, said, "was not sent. It stays here")
	})
}

func TestTalkThatNobodyAskedToBringIsNotToldOfAMissingPermission(t *testing.T) {
	bubble(t, func(r *rig) {
		root := r.begins(card, "UDARKROOM", r.cardless())
		root.meets(errNoScope)
		r.relays(store.RelayReplies)
		r.hears(r.event("message", map[string]any{"text": "Softer"}))
		r.settle(time.Hour)
		require.Empty(r.t, r.screen.dms)
		root.meets(nil)
		r.settle(time.Minute)
		require.Equal(r.t, []string{"Softer"}, r.conversation())
	})
}

// Who stands behind a job that waits for an operator waits as long, and hears of it as well.
func TestWhoStandsBehindWhatMustBeMendedIsTold(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.refuses(bot.ErrMissingScope)
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Warmer", "ts": "200.2", "user": "ben"}))
		r.settle(20 * time.Minute)
		require.Len(r.t, r.screen.dms, 2, "once each")
		for _, dm := range r.screen.dms {
			require.Contains(r.t, dm, "has to wait")
		}
		r.refuses(nil)
		r.settle(2 * time.Minute)
		require.Equal(r.t, []string{"Softer", "Warmer"}, r.conversation())
	})
}

func TestACatchUpWaitsForWhatMustBeMended(t *testing.T) {
	bubble(t, func(r *rig) {
		r.screen.Lock()
		r.screen.nobody = bot.ErrToken
		r.screen.Unlock()
		_, err := r.handle(r.t.Context(), bot.Request{Kind: bot.KindEvent, Name: "member_joined_channel", ID: "Ev1", Team: "T1", Event: json.RawMessage(`{"user":"UDARKROOM","channel":"C1"}`)})
		require.NoError(r.t, err)
		r.settle(20 * time.Minute)
		require.Zero(r.t, r.stats().Dead)
		require.Empty(r.t, r.screen.dms)
	})
}
