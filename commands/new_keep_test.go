package commands_test

import (
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/store"
)

func TestWhatAFormHeldWhenItWasClosedIsKept(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		form := r.Sheet()
		form.Held[form.Field("Instructions")] = slack.BlockAction{Value: "Keep the sand."}
		q := bot.Request{Kind: bot.KindClose, ID: "closed", Name: place.CallbackNew, Team: "T1", User: "maria", View: form.View()}
		reply, err := r.Handle(r.T.Context(), q)
		require.NoError(r.T, err)
		require.Equal(r.T, bot.Ack(), reply)
		require.Equal(r.T, []string{"Keep the sand."}, r.Draft().Instructions)

		q.View.State = nil // as Slack may leave it out
		_, err = r.Handle(r.T.Context(), q)
		require.NoError(r.T, err)
		require.Equal(r.T, []string{"Keep the sand."}, r.Draft().Instructions)
	})
}

func TestAFormOfALaterAttemptThanItsDraftIsThatAttempts(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("insufficient balance: 2 credits"))
		r.Types("new")
		r.Submits()
		form := r.SubmissionOfNew(r.Screen.Last())
		forgotten := r.Draft()
		forgotten.State, forgotten.Attempt = store.DraftOpen, 1
		require.NoError(r.T, r.Redis.Del(r.T.Context(), "{darkroom}:draft:"+forgotten.ID).Err())
		require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), forgotten))
		_, err := r.Handle(r.T.Context(), form)
		require.NoError(r.T, err)
		r.Settle(5 * time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Equal(r.T, 2, r.Draft().Attempt)
	})
}
