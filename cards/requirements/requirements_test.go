package requirements_test

import (
	"maps"
	"slices"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/cards/requirements"
	"darkroom/order"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

var every = order.Requirements{
	Width: 2000, Height: 1500, RatioWide: 4, RatioHigh: 3, Formats: []string{"image/jpeg", "image/tiff"}, Profile: order.ProfileDisplayP3, MaxMB: 20,
	Backdrop: order.BackgroundTransparent, Names: true,
}

// form returns the form, filled in and not changed.
func form(t *testing.T, now order.Requirements) slack.View {
	t.Helper()
	p := &kit.Page{}
	requirements.Ask(p, now)
	return cardstest.Untouched(t, p.Form("Photos", "Save", "callback", "x1", kit.Meta{}))
}

// read reads a form over the current rules.
func read(view slack.View, now order.Requirements) (order.Requirements, []string) {
	problems := requirements.Read(view, &now)
	return now, slices.Sorted(maps.Values(problems))
}

func TestAFormThatIsNotChangedSaysWhatHolds(t *testing.T) {
	t.Parallel()
	for _, now := range []order.Requirements{{}, every, {LongEdge: 2000}, {Backdrop: order.BackgroundWhite}, {Names: true}} {
		got, problems := read(form(t, now), order.Requirements{LongEdge: 9, RatioWide: 9, RatioHigh: 9, Formats: []string{"image/png"}, Profile: "srgb", MaxMB: 9, Backdrop: "white"})
		require.Empty(t, problems)
		require.Equal(t, now, got)
	}
}

func TestAFormThatDoesNotAskChangesNothing(t *testing.T) {
	t.Parallel()
	got, problems := read(slack.View{State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}}, every)
	require.Empty(t, problems)
	require.Equal(t, every, got)
}

func TestABadAnswerIsSaidBesideItsField(t *testing.T) {
	t.Parallel()
	for field, row := range map[string]struct {
		answer slack.BlockAction
		says   string
	}{
		"photo-size":      {slack.BlockAction{Value: "large"}, "Type 2000 for the long edge, or 2000 × 1500 for an exact size."},
		"photo-ratio":     {slack.BlockAction{Value: "square"}, "Type two numbers, as 3:2."},
		"photo-megabytes": {slack.BlockAction{Value: "0"}, "Type a whole number from 1 to 10,000."},
		"photo-also": {
			slack.BlockAction{SelectedOptions: []slack.OptionBlockObject{{Value: "white"}, {Value: "transparent"}}},
			"A background is white or transparent. Choose one.",
		},
	} {
		view := form(t, every)
		block := kit.BlockID(field, 0, 0)
		view.State.Values[block] = map[string]slack.BlockAction{field: row.answer}
		_, problems := read(view, every)
		require.Equal(t, []string{row.says}, problems)
	}
	for _, typed := range []string{"10001", "1.5", "-1", "x"} {
		view := form(t, order.Requirements{})
		view.State.Values[kit.BlockID("photo-megabytes", 0, 0)] = map[string]slack.BlockAction{"photo-megabytes": {Value: typed}}
		_, problems := read(view, order.Requirements{})
		require.Len(t, problems, 1, typed)
	}
	view := form(t, order.Requirements{})
	view.State.Values[kit.BlockID("photo-megabytes", 0, 0)] = map[string]slack.BlockAction{"photo-megabytes": {Value: " 10000 "}}
	got, problems := read(view, order.Requirements{})
	require.Empty(t, problems)
	require.Equal(t, 10_000, got.MaxMB)
}

func TestUnknownChoicesAreLeftOut(t *testing.T) {
	t.Parallel()
	view := form(t, every)
	view.State.Values[kit.BlockID("photo-formats", 0, 0)] = map[string]slack.BlockAction{"photo-formats": {SelectedOptions: []slack.OptionBlockObject{{Value: "image/exe"}, {Value: "image/png"}}}}
	view.State.Values[kit.BlockID("photo-profile", 0, 0)] = map[string]slack.BlockAction{"photo-profile": {SelectedOption: slack.OptionBlockObject{Value: "pink"}}}
	got, problems := read(view, every)
	require.Empty(t, problems)
	require.Equal(t, []string{"image/png"}, got.Formats)
	require.Equal(t, every.Profile, got.Profile)
}

func TestTheRulesAreSaidInOneSentence(t *testing.T) {
	t.Parallel()
	require.Empty(t, requirements.Says(order.Requirements{}))
	require.Equal(t, "Photos: 2000 × 1500 px, 4:3, JPEG or TIFF, Display P3, at most 20 MB, transparent background, same file names.", requirements.Says(every))
	require.Equal(t, "Photos: long edge 2,000 px or more.", requirements.Says(order.Requirements{LongEdge: 2000}))
}
