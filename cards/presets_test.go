package cards

import (
	"fmt"
	"strings"
	"testing"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// preset is one of a channel's, of the scene's words.
func (s scene) preset(n int) store.Preset {
	b, _ := s.brief().Repeatable()
	b.Sources = []order.Source{{URL: "https://example.com/mood.jpg", Service: order.ServiceReference, Instruction: s.words}}
	return store.Preset{Name: plainCut(fmt.Sprintf("%d %s", n, s.words), MaxPresetName), SavedBy: "U0MARIA", SavedAt: now, Pinned: n == 1, Brief: b}
}

func plainCut(words string, limit int) string {
	return string([]rune(words)[:min(limit, len([]rune(words)))])
}

func (s scene) presetsOf(n int) []store.Preset {
	return each(make([]store.Preset, n), func(i int, _ store.Preset) store.Preset { return s.preset(i + 1) })
}

// presetViews are the form that can be filled, and what is kept for it.
func (s scene) presetViews() map[string]any {
	d, t, all := s.draft(), s.tracked(order.StatusEditing), s.presetsOf(3)
	chosen := d
	chosen.Fill(store.Filling{ID: all[1].ID(), Name: all[1].Name, Given: all[1].Brief, Gen: "g1", Lost: 1})
	house := store.Draft{ID: "d1", Attempt: 1, Service: order.ServiceBasic}
	house.Fill(store.Filling{ID: all[0].ID(), Name: all[0].Name, Given: all[0].Brief, Gen: "g1", House: true})
	offers := Around{Upload: true, Balance: "88", Presets: &PresetMenu{Presets: all, Last: true}}
	gone := Around{Upload: true, Presets: &PresetMenu{Note: PresetGone}}
	return map[string]any{
		"form_offers": NewOrder(store.Draft{ID: "d1", Attempt: 1, Service: order.ServiceBasic}, offers, "x1"),
		"form_chosen": NewOrder(chosen, offers, "x1"),
		"form_house":  NewOrder(house, offers, "x1"),
		"form_gone":   NewOrder(chosen, gone, "x1"),
		"save":        SavePreset(t, "", nil, "x1"),
		"save_over":   SavePreset(t, all[0].Name, &all[0], "x1"),
		"saved":       PresetSaved("C1", all[0].Name, "x1"),
		"list":        Presets("C1", all, false, "", "x1"),
		"list_pinned": Presets("C1", all, true, PresetDone(PresetPin, all[0]), "x1"),
		"list_empty":  Presets("C1", nil, false, PresetNotDone(true), "x1"),
	}
}

func TestPresets(t *testing.T) { golden(t, scene.presetViews) }

// presetForms are those views with say() in every string.
func presetForms(shown map[string]any, say func() string) {
	p := filledWith[store.Preset](say)
	d := filledWith[store.Draft](say)
	shown["preset form"] = NewOrder(d, Around{Presets: &PresetMenu{Presets: []store.Preset{p}, Last: true}}, say())
	shown["preset list"] = Presets("C1", []store.Preset{p}, true, "", say())
	shown["preset saved"] = PresetSaved("C1", say(), say())
}

func TestAFormWithNothingToBeFilledFromIsAsItWas(t *testing.T) {
	d := scene{"plain", 3}.draft()
	require.Equal(t, NewOrder(d, Around{Upload: true}, "x"), NewOrder(d, Around{Upload: true, Presets: &PresetMenu{}}, "x"))
}

func TestFiftyPresetsFit(t *testing.T) {
	s := scene{strings.Repeat("<!channel> *é* ", 200), 3}
	all := s.presetsOf(store.MaxPresets)
	d := s.draft()
	d.Fill(store.Filling{ID: all[49].ID(), Name: all[49].Name, Given: all[49].Brief, Gen: "g"})
	form := NewOrder(d, Around{Upload: true, Presets: &PresetMenu{Presets: all, Last: true}}, "x")
	checkLimits(t, form)
	list := Presets("C1", all, true, "", "x")
	checkLimits(t, list)
	rows := 0
	for _, b := range list.Blocks.BlockSet {
		if section, is := b.(*slack.SectionBlock); is && section.Accessory != nil {
			rows++
		}
	}
	require.Equal(t, store.MaxPresets, rows, "all of them can be removed")
}

func TestWhatIsDoneToAPresetIsReadBack(t *testing.T) {
	do, channel, id, ok := ParsePreset(PresetValue(PresetPin, "C1", "abc"))
	require.True(t, ok)
	require.Equal(t, []string{PresetPin, "C1", "abc"}, []string{do, channel, id})
	for _, wrong := range []string{"", "pin", "pin C1", "pin C1 ", "pin D1 abc", "burn C1 abc", "pin C1 abc d"} {
		_, _, _, ok := ParsePreset(wrong)
		require.False(t, ok, wrong)
	}
}

func TestAPresetsNameIsOneShortLine(t *testing.T) {
	named := func(name, note string) slack.View {
		return slack.View{
			PrivateMetadata: Meta{Order: "o1", Note: note}.encode(),
			State:           &slack.ViewState{Values: map[string]map[string]slack.BlockAction{"presetname:0": {"presetname": {Value: name}}}},
		}
	}
	over := store.Preset{Name: "beach house"}.Print()
	f, wrong := DecodeSavePreset(named("  Beach \n house ", over))
	require.Empty(t, wrong)
	require.Equal(t, PresetForm{Order: "o1", Name: "Beach house", Over: over}, f)
	f, _ = DecodeSavePreset(named("Harbour", over))
	require.Empty(t, f.Over, "another name was agreed to")
	for _, bad := range []string{"", " \n", "\u202e", strings.Repeat("é", 76)} {
		_, wrong := DecodeSavePreset(named(bad, ""))
		require.NotEmpty(t, wrong["presetname:0"], bad)
	}
}
