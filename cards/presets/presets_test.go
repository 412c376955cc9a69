package presets_test

import (
	"fmt"
	"strings"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/cards/presets"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// preset returns a preset with the scene's text.
func preset(s cardstest.Scene, n int) store.Preset {
	b, _ := s.Brief().Repeatable()
	b.Sources = []order.Source{{URL: "https://example.com/mood.jpg", Service: order.ServiceReference, Instruction: s.Words}}
	return store.Preset{Name: plainCut(fmt.Sprintf("%d %s", n, s.Words), presets.MaxName), SavedBy: "U0MARIA", SavedAt: cardstest.Now, Pinned: n == 1, Brief: b}
}

func plainCut(words string, limit int) string {
	return string([]rune(words)[:min(limit, len([]rune(words)))])
}

func presetsOf(s cardstest.Scene, n int) []store.Preset {
	return kit.Map(make([]store.Preset, n), func(i int, _ store.Preset) store.Preset { return preset(s, i+1) })
}

// presetViews returns the filled form and the windows of presets.
func presetViews(s cardstest.Scene) map[string]any {
	d, t, all := s.Draft(), s.Tracked(order.StatusEditing), presetsOf(s, 3)
	ruled := presetsOf(s, 2)[1:]
	ruled[0].Requires = order.Requirements{Width: 2000, Height: 1500, Formats: []string{"image/png"}, Backdrop: order.BackgroundTransparent}
	chosen := d
	chosen.Fill(store.Filling{ID: all[1].ID(), Name: all[1].Name, Given: all[1].Brief, Gen: "g1", Lost: 1})
	house := store.Draft{ID: "d1", Attempt: 1, Service: order.ServiceBasic}
	house.Fill(store.Filling{ID: all[0].ID(), Name: all[0].Name, Given: all[0].Brief, Gen: "g1", House: true})
	offers := place.FormExtras{Upload: true, Balance: "88", Presets: &place.PresetMenu{Presets: all, Last: true}}
	gone := place.FormExtras{Upload: true, Presets: &place.PresetMenu{Note: place.PresetGone}}
	return map[string]any{
		"form_offers":  place.Window(store.Draft{ID: "d1", Attempt: 1, Service: order.ServiceBasic}, offers, "x1"),
		"form_chosen":  place.Window(chosen, offers, "x1"),
		"form_house":   place.Window(house, offers, "x1"),
		"form_gone":    place.Window(chosen, gone, "x1"),
		"save":         presets.SaveWindow(t, "", nil, "x1"),
		"save_over":    presets.SaveWindow(t, all[0].Name, &all[0], "x1"),
		"saved":        presets.Saved("C1", all[0].Name, "x1"),
		"list":         presets.Window("C1", all, false, "", "x1"),
		"list_pinned":  presets.Window("C1", all, true, presets.Done(presets.Pin, all[0]), "x1"),
		"list_rules":   presets.Window("C1", ruled, false, "", "x1"),
		"photos":       presets.PhotosWindow("C1", all[1], "x1"),
		"photos_set":   presets.PhotosWindow("C1", ruled[0], "x1"),
		"photos_saved": presets.PhotosSaved(ruled[0].Name, ruled[0].Requires, "x1"),
		"photos_none":  presets.PhotosSaved(all[1].Name, order.Requirements{}, "x1"),
		"list_empty":   presets.Window("C1", nil, false, presets.NotDone(true), "x1"),
	}
}

func TestPresets(t *testing.T) { cardstest.Golden(t, presetViews) }

func TestAFormWithNothingToBeFilledFromIsAsItWas(t *testing.T) {
	d := cardstest.Of("plain", 3).Draft()
	require.Equal(t, place.Window(d, place.FormExtras{Upload: true}, "x"), place.Window(d, place.FormExtras{Upload: true, Presets: &place.PresetMenu{}}, "x"))
}

func TestFiftyPresetsFit(t *testing.T) {
	s := cardstest.Of(strings.Repeat("<!channel> *é* ", 200), 3)
	all := presetsOf(s, store.MaxPresets)
	d := s.Draft()
	d.Fill(store.Filling{ID: all[49].ID(), Name: all[49].Name, Given: all[49].Brief, Gen: "g"})
	form := place.Window(d, place.FormExtras{Upload: true, Presets: &place.PresetMenu{Presets: all, Last: true}}, "x")
	cardstest.CheckLimits(t, form)
	list := presets.Window("C1", all, true, "", "x")
	cardstest.CheckLimits(t, list)
	rows := 0
	for _, b := range list.Blocks.BlockSet {
		if section, is := b.(*slack.SectionBlock); is && section.Accessory != nil && section.Accessory.OverflowElement != nil {
			rows++
		}
	}
	require.Equal(t, store.MaxPresets, rows, "all of them can be removed")
}

func TestWhatIsDoneToAPresetIsReadBack(t *testing.T) {
	do, channel, id, ok := presets.Parse(presets.Value(presets.Pin, "C1", "abc"))
	require.True(t, ok)
	require.Equal(t, []string{presets.Pin, "C1", "abc"}, []string{do, channel, id})
	_, _, ok = presets.ParsePhotos(presets.Value(presets.Pin, "C1", "abc"))
	require.False(t, ok, "another action")
	for _, wrong := range []string{"", "pin", "pin C1", "pin C1 ", "pin D1 abc", "burn C1 abc", "pin C1 abc d"} {
		_, _, _, ok := presets.Parse(wrong)
		require.False(t, ok, wrong)
	}
}

func TestTheMenuOfPhotosIsReadBack(t *testing.T) {
	channel, id, ok := presets.ParsePhotos(presets.Value("photos", "C1", "abc"))
	require.True(t, ok)
	require.Equal(t, []string{"C1", "abc"}, []string{channel, id})
	for _, wrong := range []string{"", "photos", "photos C1", "photos C1 ", "photos D1 abc", "pin C1 abc", "photos C1 abc d"} {
		_, _, ok := presets.ParsePhotos(wrong)
		require.False(t, ok, wrong)
	}
}

// Nobody corrects one field to learn of the next.
func TestEachWrongRuleOfAPresetIsSaid(t *testing.T) {
	view := cardstest.Untouched(t, presets.PhotosWindow("C1", store.Preset{Name: "Beach"}, "x1"))
	for field, typed := range map[string]string{"photo-size": "large", "photo-ratio": "square", "photo-megabytes": "0"} {
		view.State.Values[kit.BlockID(field, 0, 0)] = map[string]slack.BlockAction{field: {Value: typed}}
	}
	form, wrong := presets.DecodePhotos(view)
	require.Len(t, wrong, 3)
	require.Equal(t, []string{"C1", store.Preset{Name: "Beach"}.ID()}, []string{form.Channel, form.ID})
}

// Slack refuses a window that has a menu without choices.
func TestWhoMayChangeNoPresetSeesNoMenuOfPhotos(t *testing.T) {
	pinned := []store.Preset{{Name: "Beach", Pinned: true}}
	require.NotContains(t, cardstest.Pretty(t, presets.Window("C1", pinned, false, "", "x")), presets.ActionPhotos)
	require.Contains(t, cardstest.Pretty(t, presets.Window("C1", pinned, true, "", "x")), presets.ActionPhotos)
}

func TestAPresetsNameIsOneShortLine(t *testing.T) {
	named := func(name, note string) slack.View {
		return slack.View{
			PrivateMetadata: kit.Meta{Order: "o1", Note: note}.Encode(),
			State:           &slack.ViewState{Values: map[string]map[string]slack.BlockAction{"presetname:0": {"presetname": {Value: name}}}},
		}
	}
	over := store.Preset{Name: "beach house"}.Print()
	f, wrong := presets.Decode(named("  Beach \n house ", over))
	require.Empty(t, wrong)
	require.Equal(t, presets.Form{Order: "o1", Name: "Beach house", Over: over}, f)
	f, _ = presets.Decode(named("Harbour", over))
	require.Empty(t, f.Over, "another name was agreed to")
	for _, bad := range []string{"", " \n", "\u202e", strings.Repeat("é", 76)} {
		_, wrong := presets.Decode(named(bad, ""))
		require.NotEmpty(t, wrong["presetname:0"], bad)
	}
}
