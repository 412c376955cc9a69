package commands_test

import (
	"encoding/json"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/cards/presets"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func photosOf(channel, id string) string { return presets.Value("photos", channel, id) }

func TestAPresetSaysWhatItsPhotosMustBe(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		id := has(r, "C1", beach())
		r.Presses(presets.ActionPhotos, photosOf("C1", id))
		form := r.Sheet()
		require.Contains(r.T, form.Shown(), "For orders of the preset *Beach*")
		form.Types("Size in pixels", "tiny")
		require.Equal(r.T, "Type 2000 for the long edge, or 2000 × 1500 for an exact size.", form.Problem(form.Submits(), "Size in pixels"))
		form.Types("Size in pixels", "2000")
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "Saved for *Beach*")
		require.Contains(r.T, form.Shown(), "Photos: long edge 2,000 px or more.")
		saved := presetsOf(r, "C1")[0]
		require.Equal(r.T, order.Requirements{LongEdge: 2000}, saved.Requires)
		require.Equal(r.T, beach().Brief, saved.Brief, "the rest is as it was")
	})
}

// A house style is the operators', a removed preset takes no rules, and nobody sets rules where they may not order.
func TestWhoMaySayWhatAPresetsPhotosMustBe(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		id := has(r, "C1", beach())
		r.Presses(presets.ActionPhotos, photosOf("C1", id))
		form := r.Sheet()
		form.Types("Size in pixels", "2000")
		pinned := beach()
		require.NoError(r.T, r.Store.Presets.PinPreset(r.T.Context(), "T1", "C1", id, true))
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "Only operators change a house style")
		require.Zero(r.T, presetsOf(r, "C1")[0].Requires)

		require.NoError(r.T, r.Store.Presets.RemovePreset(r.T.Context(), "T1", "C1", pinned.ID(), true))
		r.Presses(presets.ActionPhotos, photosOf("C1", id))
		require.Contains(r.T, r.Sheet().Shown(), "Somebody has removed that preset")
		other := has(r, "CWEDDING", beach())
		says := r.Does(bot.Request{Kind: bot.KindAction, Name: presets.ActionPhotos, Value: photosOf("CWEDDING", other), User: "tom", Channel: "C1"})
		require.Contains(r.T, says, "not a member")

		for _, lost := range []kit.Meta{{}, {Channel: "C1"}, {Note: id}} {
			view := &slack.View{CallbackID: presets.CallbackPhotos, ExternalID: "x", State: &slack.ViewState{}, PrivateMetadata: lost.Encode()}
			reply, err := r.Handle(r.T.Context(), bot.Request{ID: "x", Kind: bot.KindSubmit, Name: presets.CallbackPhotos, Team: "T1", User: "maria", View: view})
			require.NoError(r.T, err)
			raw, err := json.Marshal(reply.Body)
			require.NoError(r.T, err)
			require.Contains(r.T, string(raw), "out of date")
		}
	})
}
