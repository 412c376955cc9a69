package jobs_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/store"
)

// denies makes Slack refuse all views and messages.
func denies(r *commandstest.Rig, class error) {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	r.Screen.Denied = class
}

// An answer that Slack refuses is given once an operator has acted.
func TestAnAnswerWaitsForWhatAnOperatorMustMend(t *testing.T) {
	refusal := errors.Join(&client.Error{Method: "chat.postMessage", Code: "token_revoked"}, client.ErrToken)
	for name, story := range map[string]struct {
		asks func(r *commandstest.Rig)
		says string
	}{
		"an order that nobody finds": {func(r *commandstest.Rig) {
			r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
			r.Types("new")
			form := r.SubmissionOfNew(r.Screen.Last())
			denies(r, refusal)
			_, err := r.Handle(r.T.Context(), form)
			require.NoError(r.T, err)
			r.Settle(5 * time.Minute)
			require.Equal(r.T, store.DraftUnknown, r.Draft().State, "it is looked for all the same")
		}, "Your order was not placed"},
		"an approval": {func(r *commandstest.Rig) {
			window := r.Opens("maria", cards.ActionApprove, cards.Value(r.InReview(), 0))
			denies(r, refusal)
			r.Sends("maria", window, nil)
		}, "Approved"},
		"a message": {func(r *commandstest.Rig) {
			r.InReview()
			denies(r, refusal)
			r.Types("message order1 Softer")
		}, "Sent"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				ops := &operators{}
				r.Ops = ops.hear
				story.asks(r)
				r.Settle(10 * time.Minute)
				require.NotEmpty(r.T, ops.said, "operators hear of it")
				require.Zero(r.T, r.Stats().Dead)
				denies(r, nil)
				r.Settle(2 * time.Minute)
				r.Screen.Lock()
				defer r.Screen.Unlock()
				said := strings.Join(append(r.Screen.DMs, r.Screen.Ephemerals...), "")
				for _, modal := range r.Screen.Shown {
					said += modal
				}
				require.Contains(r.T, said, story.says)
			})
		})
	}
}
