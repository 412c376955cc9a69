package commands

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// denies lets Slack take nothing that is shown or told.
func (r *rig) denies(class error) {
	r.screen.Lock()
	defer r.screen.Unlock()
	r.screen.denied = class
}

// An answer that Slack refuses to take until an operator acts is given when it may be.
func TestAnAnswerWaitsForWhatAnOperatorMustMend(t *testing.T) {
	refusal := errors.Join(&bot.Error{Method: "chat.postMessage", Code: "token_revoked"}, bot.ErrToken)
	for name, story := range map[string]struct {
		asks func(r *rig)
		says string
	}{
		"an order that nobody finds": {func(r *rig) {
			r.service.nextCreate = append(r.service.nextCreate, never)
			r.types("new")
			form := r.submissionOfNew(r.screen.last())
			r.denies(refusal)
			_, err := r.handle(r.t.Context(), form)
			require.NoError(r.t, err)
			r.settle(5 * time.Minute)
			require.Equal(r.t, store.DraftUnknown, r.draft().State, "it is looked for all the same")
		}, "Your order was not placed"},
		"an approval": {func(r *rig) {
			window := r.opens("maria", cards.ActionApprove, cards.Value(r.inReview(), 0))
			r.denies(refusal)
			r.sends("maria", window, nil)
		}, "Approved"},
		"a message": {func(r *rig) {
			r.inReview()
			r.denies(refusal)
			r.types("message order1 Softer")
		}, "Sent"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				ops := &operators{}
				r.ops = ops.hear
				story.asks(r)
				r.settle(10 * time.Minute)
				require.NotEmpty(r.t, ops.said, "operators hear of it")
				require.Zero(r.t, r.stats().Dead)
				r.denies(nil)
				r.settle(2 * time.Minute)
				r.screen.Lock()
				defer r.screen.Unlock()
				said := strings.Join(append(r.screen.dms, r.screen.told...), "")
				for _, modal := range r.screen.shown {
					said += modal
				}
				require.Contains(r.t, said, story.says)
			})
		})
	}
}
