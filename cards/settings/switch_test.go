package settings

import (
	"testing"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// chose returns a submitted form with this choice; "": the form did not ask.
func chose(final string) slack.View {
	values := map[string]map[string]slack.BlockAction{}
	answer := func(field, value string) {
		if value != "" {
			values[kit.BlockID(field, 0, 0)] = map[string]slack.BlockAction{field: {SelectedOption: slack.OptionBlockObject{Value: value}}}
		}
	}
	answer(fieldRelay, string(store.RelayMentions))
	answer("finals", final)
	return slack.View{State: &slack.ViewState{Values: values}}
}

func TestTheSettingOfFinalImagesStaysWhereItIsNotAsked(t *testing.T) {
	for _, before := range []bool{false, true} {
		for answer, want := range map[string]bool{"yes": true, "no": false, "": before, "maybe": before} {
			got, problems := Decode(chose(answer), store.Settings{FinalImages: before})
			require.Empty(t, problems)
			require.Equal(t, want, got.FinalImages, "%v, then %q", before, answer)
		}
	}
	require.Empty(t, finalsPart.confirm(store.Settings{}))
	require.Contains(t, finalsPart.confirm(store.Settings{FinalImages: true}), "files:write")
}
