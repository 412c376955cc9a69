package commands_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/place"
	"darkroom/cards/presets"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
)

const moodBoard = "https://example.com/mood.jpg"

func beach() store.Preset {
	return store.Preset{Name: "Beach", SavedBy: "UTOM", SavedAt: time.Now().UTC(), Brief: order.Brief{
		Instructions: []string{"Keep the sand."}, Service: order.ServiceExtensive, CustomerID: "0042",
		Sources: []order.Source{{URL: moodBoard, Service: order.ServiceReference, Instruction: "These colours."}},
	}}
}

// has gives a channel a preset.
func has(r *commandstest.Rig, channel string, p store.Preset) string {
	r.T.Helper()
	require.NoError(r.T, r.Store.Presets.RemovePreset(r.T.Context(), "T1", channel, p.ID(), true))
	require.NoError(r.T, r.Store.Presets.SavePreset(r.T.Context(), "T1", channel, p, "", true))
	return p.ID()
}

func presetsOf(r *commandstest.Rig, channel string) []store.Preset {
	r.T.Helper()
	all, err := r.Store.Presets.In(r.T.Context(), "T1", channel)
	require.NoError(r.T, err)
	return all
}

// fillsFrom chooses the preset that fills the form.
func fillsFrom(form *commandstest.Sheet, choice string) {
	form.Chooses("Preset", choice)
	form.Presses(place.ActionPreset, choice)
}

// valueOf returns the value of the field with that label.
func valueOf(r *commandstest.Rig, form *commandstest.Sheet, label string) string {
	r.T.Helper()
	for _, action := range form.View().State.Values[form.Field(label)] {
		return action.Value + action.SelectedOption.Value
	}
	return ""
}

func TestAPresetFillsTheFormAndPhotosAndNameStay(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Signs()
		id := has(r, "C1", beach())
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		require.Equal(r.T, "none", valueOf(r, form, "Preset"))
		form.Uploads("b.jpg")
		form.Types("Instructions", "My own words.")
		form.Types("Project name", "Smith wedding")
		fillsFrom(form, id)
		require.Equal(r.T, "Keep the sand.", valueOf(r, form, "Instructions"))
		require.Equal(r.T, "extensive", valueOf(r, form, "Service type"))
		require.Equal(r.T, "0042", valueOf(r, form, "Customer ID"))
		require.Equal(r.T, "Smith wedding", valueOf(r, form, "Project name"))
		require.Equal(r.T, "https://example.com/a.jpg\n"+moodBoard, valueOf(r, form, "Photo links"))
		require.Contains(r.T, form.Shown(), "b.jpg")
		require.Contains(r.T, form.Shown(), "Choose *None* to get it back")

		fillsFrom(form, "none")
		require.Equal(r.T, "My own words.", valueOf(r, form, "Instructions"))
		require.Equal(r.T, "basic", valueOf(r, form, "Service type"))
		require.Equal(r.T, "https://example.com/a.jpg", valueOf(r, form, "Photo links"))
		require.Equal(r.T, "Place Order", form.Button())

		fillsFrom(form, id)
		require.Equal(r.T, "Next", form.Button())
		require.Empty(r.T, form.Submits())
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "Order placed")
		placed := ordered(r)
		require.Equal(r.T, []string{"Keep the sand."}, placed.Instructions)
		require.Equal(r.T, "0042", placed.CustomerID)
		require.Len(r.T, placed.Images, 3)
		require.Equal(r.T, order.ServiceReference, placed.Images[2].Service)
		require.Equal(r.T, "These colours.", placed.Images[2].Instruction)
		require.Equal(r.T, order.ServiceExtensive, placed.Images[0].Service)
		require.Equal(r.T, "Beach", r.Stored("order1").Preset())
	})
}

func TestAnOrderIsOfThePresetThatWasChosenLast(t *testing.T) {
	tests := map[string]struct {
		choices []string
		house   bool
		preset  string
	}{
		"another afterwards":  {[]string{"beach", "harbour"}, false, "Harbour"},
		"none afterwards":     {[]string{"beach", "none"}, false, ""},
		"the last order's":    {[]string{"beach", store.LastOrder}, false, ""},
		"the house style":     {nil, true, "Beach"},
		"no house style then": {[]string{"none"}, true, ""},
		"nothing chosen":      {nil, false, ""},
	}
	for name, row := range tests {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				plain, harbour := beach(), beach()
				plain.Brief.Sources, harbour.Brief.Sources, harbour.Name = nil, nil, "Harbour"
				ids := map[string]string{"beach": has(r, "C1", plain), "harbour": has(r, "C1", harbour), "none": "none", store.LastOrder: store.LastOrder}
				require.NoError(r.T, r.Store.Presets.PinPreset(r.T.Context(), "T1", "C1", ids["beach"], row.house))
				briefly(r, "o1", "C1", order.Brief{Instructions: []string{"Last."}, Preset: "Beach"})
				r.Types("new")
				form := r.Sheet()
				form.Presses(place.ActionOptions, "")
				for _, choice := range row.choices {
					fillsFrom(form, ids[choice])
				}
				form.Types("Photo links", "https://example.com/a.jpg")
				form.Types("Instructions", "My own words.")
				require.Empty(r.T, form.Submits())
				require.Contains(r.T, form.Shown(), "Order placed")
				require.Equal(r.T, row.preset, r.Stored("order1").Brief.Preset)
			})
		})
	}
}

func TestWhatWasTypedOverAPresetIsNotLostWithIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		plain := beach()
		plain.Brief.Sources = nil
		id := has(r, "C1", plain)
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "Before.")
		fillsFrom(form, id)
		form.Types("Instructions", "Keep the sand.\nAfter.")
		fillsFrom(form, "none")
		require.Equal(r.T, "Before.\nAfter.", valueOf(r, form, "Instructions"))
	})
}

func TestAPresetThatWasRemovedMeanwhileLeavesTheFormAsItIs(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		id := has(r, "C1", beach())
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "My own words.")
		require.NoError(r.T, r.Store.Presets.RemovePreset(r.T.Context(), "T1", "C1", id, false))
		fillsFrom(form, id)
		require.Contains(r.T, form.Shown(), "preset was removed")
		require.Equal(r.T, "none", valueOf(r, form, "Preset"))
		require.Equal(r.T, "My own words.", valueOf(r, form, "Instructions"))
	})
}

func TestWithoutPresetsAndOrdersTheFormOffersNone(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		has(r, "CWEDDING", beach())
		r.Types("new")
		require.NotContains(r.T, r.Sheet().Shown(), "Preset", "another channel's are its own")
	})
}

func TestTheListFollowsTheChannel(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		has(r, "CWEDDING", beach())
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Types("Instructions", "My own words.")
		form.Presses(place.ActionOptions, "")
		form.Held[form.Field("Post to")] = slack.BlockAction{SelectedConversation: "CWEDDING"}
		form.Presses(place.ActionPostTo, "CWEDDING")
		require.Contains(r.T, form.Shown(), "Beach")
		require.Equal(r.T, "My own words.", valueOf(r, form, "Instructions"))
		form.Held[form.Field("Post to")] = slack.BlockAction{SelectedConversation: "C1"}
		form.Presses(place.ActionPostTo, "C1")
		require.NotContains(r.T, form.Shown(), "Beach")
	})
}

func TestWhoIsNotInAChannelIsToldNothingOfItsPresets(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		id := has(r, "CWEDDING", beach())
		r.Screen.Channels["CWEDDING"] = commandstest.Channel{Private: true, Members: []string{"boss"}}
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		form.Presses(place.ActionOptions, "")
		form.Held[form.Field("Post to")] = slack.BlockAction{SelectedConversation: "CWEDDING"}
		form.Presses(place.ActionPostTo, "CWEDDING")
		require.NotContains(r.T, form.Shown(), "Beach")
		form.Presses(place.ActionPreset, id)
		require.NotContains(r.T, form.Shown(), "Keep the sand.")
		require.Contains(r.T, r.Says("tom", "CWEDDING", "presets"), "not a member")
		require.Contains(r.T, r.Says("ines", "C1", "presets"), "Guests")
		require.Contains(r.T, r.Says("maria", "D1", "presets"), "belong to a channel")
	})
}

func TestAHouseStyleFillsOnlyAFreshForm(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		id := has(r, "C1", beach())
		require.NoError(r.T, r.Store.Presets.PinPreset(r.T.Context(), "T1", "C1", id, true))
		r.Types("new")
		form := r.Sheet()
		require.Equal(r.T, "Keep the sand.", valueOf(r, form, "Instructions"))
		require.Contains(r.T, form.Shown(), "house style")
		form.Closes()
		r.Types("new")
		require.NotContains(r.T, r.Sheet().Shown(), "unfinished", "nobody has typed anything")
		r.Types("new https://example.com/a.jpg")
		require.Empty(r.T, valueOf(r, r.Sheet(), "Instructions"), "the line brought something")

		second := beach()
		second.Name, second.Pinned = "Harbour", true
		has(r, "C1", second)
		r.Types("new")
		require.Empty(r.T, valueOf(r, r.Sheet(), "Instructions"), "there are two")
	})
}

// briefly gives a channel an order with that brief.
func briefly(r *commandstest.Rig, id, channel string, b order.Brief) store.Tracked {
	r.T.Helper()
	zero := 0
	o := order.Order{ID: id, ProjectName: "Project " + id, Status: order.StatusEditing, Revision: &zero, OrderedAt: time.Now()}
	t, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{
		ID: id, Owner: store.Owner{Team: "T1", Channel: channel, Requester: "maria"}, Images: 1, Order: o, Brief: &b,
	})
	require.NoError(r.T, err)
	return t
}

func TestTheSameAsTheLastOrder(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		b := beach().Brief
		b.Sources = append(b.Sources, order.Source{Name: "photo.jpg", Service: order.ServiceReference})
		briefly(r, "o1", "C1", b)
		r.Types("new https://example.com/a.jpg")
		form := r.Sheet()
		fillsFrom(form, store.LastOrder)
		require.Equal(r.T, "Keep the sand.", valueOf(r, form, "Instructions"))
		require.Equal(r.T, "https://example.com/a.jpg\n"+moodBoard, valueOf(r, form, "Photo links"))
		require.Contains(r.T, form.Shown(), "1 reference photo could not be filled in. Add it again.")
	})
}

// saves submits the form that saves a preset, and returns its answer.
func saves(r *commandstest.Rig, user, window, name string) string {
	r.T.Helper()
	reply := r.Sends(user, window, map[string]string{"Name": name})
	answer, _ := reply.Body.(*slack.ViewSubmissionResponse)
	if answer != nil && answer.View != nil {
		require.NoError(r.T, r.Screen.UpdateView(r.T.Context(), window, "", "", *answer.View))
	}
	return commandstest.Text(reply.Body)
}

func TestAPresetIsSavedAndReplacedOnlyWhenSomebodySaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		t1 := briefly(r, "o1", "C1", beach().Brief)
		other := beach().Brief
		other.Instructions = []string{"Polish the gold."}
		t2 := briefly(r, "o2", "C1", other)
		window := r.Opens("maria", cards.ActionSavePreset, cards.Value(t1.ID, 0))
		require.Contains(r.T, saves(r, "maria", window, "  "), "Give it a name")
		require.Contains(r.T, saves(r, "maria", window, " Beach  house "), "Saved as *Beach house*")
		require.Equal(r.T, "Beach house", presetsOf(r, "C1")[0].Name)
		window = r.Opens("maria", cards.ActionSavePreset, cards.Value(t1.ID, 0))
		require.Contains(r.T, saves(r, "maria", window, "Beach house"), "Saved as", "the same again is done already")

		window = r.Opens("tom", cards.ActionSavePreset, cards.Value(t2.ID, 0))
		require.Contains(r.T, saves(r, "tom", window, "BEACH HOUSE"), "already saved a preset")
		require.Equal(r.T, []string{"Keep the sand."}, presetsOf(r, "C1")[0].Brief.Instructions)
		newer := presetsOf(r, "C1")[0]
		newer.SavedBy, newer.Brief.Instructions = "UBEN", []string{"Darken the sea."}
		has(r, "C1", newer)
		require.Contains(r.T, saves(r, "tom", window, "BEACH HOUSE"), "UBEN", "another than he read of")
		require.Equal(r.T, []string{"Darken the sea."}, presetsOf(r, "C1")[0].Brief.Instructions)
		require.Contains(r.T, saves(r, "tom", window, "BEACH HOUSE"), "Saved as")
		require.Len(r.T, presetsOf(r, "C1"), 1)
		require.Equal(r.T, []string{"Polish the gold."}, presetsOf(r, "C1")[0].Brief.Instructions)

		id := store.PresetID("beach house")
		require.NoError(r.T, r.Store.Presets.PinPreset(r.T.Context(), "T1", "C1", id, true))
		for user, reads := range map[string]string{"maria": "Only operators change", "boss": "Saved as"} {
			window = r.Opens(user, cards.ActionSavePreset, cards.Value(t1.ID, 0))
			require.Contains(r.T, saves(r, user, window, "beach house"), "already saved a preset")
			require.Contains(r.T, saves(r, user, window, "beach house"), reads)
		}
		require.True(r.T, presetsOf(r, "C1")[0].Pinned, "in another's place it stays the house style")
	})
}

func TestAChannelHasFiftyPresets(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		t1 := briefly(r, "o1", "C1", beach().Brief)
		for i := range store.MaxPresets {
			p := beach()
			p.Name = fmt.Sprint("Preset ", i)
			has(r, "C1", p)
		}
		window := r.Opens("maria", cards.ActionSavePreset, cards.Value(t1.ID, 0))
		require.Contains(r.T, saves(r, "maria", window, "One more"), "the most it can have")
		require.Len(r.T, presetsOf(r, "C1"), store.MaxPresets)
	})
}

// doesTo presses a button of a channel's preset.
func doesTo(r *commandstest.Rig, user, do, channel, id string) string {
	return r.Does(bot.Request{Kind: bot.KindAction, Name: presets.Action, Value: presets.Value(do, channel, id), User: user, Channel: "C1"})
}

func TestMembersRemoveAndOperatorsPin(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		id := has(r, "C1", beach())
		other := has(r, "CWEDDING", beach())
		require.NotContains(r.T, r.Says("maria", "C1", "presets"), "Pin as house style")
		require.Contains(r.T, r.Says("boss", "C1", "presets"), "Pin as house style")
		require.Contains(r.T, doesTo(r, "maria", presets.Pin, "C1", id), "Only operators")
		require.Contains(r.T, doesTo(r, "boss", presets.Pin, "C1", id), "is a house style now")
		require.Contains(r.T, doesTo(r, "maria", presets.Remove, "C1", id), "Only operators change")
		require.Contains(r.T, doesTo(r, "boss", presets.Unpin, "C1", id), "no longer a house style")
		require.Contains(r.T, doesTo(r, "ines", presets.Remove, "C1", id), "Guests")
		require.Contains(r.T, doesTo(r, "tom", presets.Remove, "CWEDDING", other), "not a member")
		require.Len(r.T, presetsOf(r, "C1"), 1)
		require.Contains(r.T, doesTo(r, "tom", presets.Remove, "C1", id), "is removed")
		require.Contains(r.T, doesTo(r, "tom", presets.Remove, "C1", id), "Somebody has removed that preset")
		require.Empty(r.T, presetsOf(r, "C1"))
		require.Len(r.T, presetsOf(r, "CWEDDING"), 1)
	})
}

// A person may open the form as a member and submit it after leaving.
func TestWhoMayNotOrderSavesNoPreset(t *testing.T) {
	for reads, becomes := range map[string]func(s *commandstest.Screen){
		"Guests may look": func(s *commandstest.Screen) { s.Guests["maria"] = true },
		"no order":        func(s *commandstest.Screen) { s.Left = map[string]bool{"maria": true} },
	} {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.SetUpWorkspace()
			order := briefly(r, "o1", "C1", beach().Brief)
			window := r.Opens("maria", cards.ActionSavePreset, cards.Value(order.ID, 0))
			r.Screen.Set(becomes)
			require.Contains(r.T, saves(r, "maria", window, "Beach"), reads)
			require.Empty(r.T, presetsOf(r, "C1"))
		})
	}
}
