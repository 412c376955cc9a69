package cardstest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// BoxesIn returns the images with inputs in a form.
func BoxesIn(view slack.ModalViewRequest) []string {
	var boxes []string
	for _, b := range view.Blocks.BlockSet {
		if in, ok := b.(*slack.InputBlock); ok && strings.HasPrefix(in.BlockID, "image:") {
			boxes = append(boxes, in.Label.Text)
		}
	}
	return boxes
}

// Filled returns a submitted view with these values by block id.
func Filled(values map[string]string) slack.View {
	state := slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for block, value := range values {
		field, _, _ := strings.Cut(block, ":")
		state.Values[block] = map[string]slack.BlockAction{field: {
			Value: value, SelectedConversation: value, SelectedOption: slack.OptionBlockObject{Value: value},
		}}
	}
	return slack.View{PrivateMetadata: `{"draft":"d1","attempt":2}`, State: &state}
}

// Good returns valid values of an order form.
func Good() map[string]string {
	return map[string]string{
		"channel:2": "C0PHOTOS", "images:2": "https://e.com/a.jpg\n\n https://e.com/b.jpg ", "service:2": "basic",
		"instructions:2": "Brighter\n\n Warmer \n", "project:2": " Smith  wedding ", "customer:2": " 77 ",
	}
}

// URLLines returns n URLs, one a line.
func URLLines(n int) string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("https://e.com/%d.jpg", i)
	}
	return strings.Join(lines, "\n")
}

// Untouched returns the submitted view of an unchanged form.
func Untouched(t require.TestingT, form slack.ModalViewRequest) slack.View {
	state := slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for _, in := range Inputs(form.Blocks.BlockSet) {
		var id string
		var action slack.BlockAction
		switch e := in.Element.(type) {
		case *slack.PlainTextInputBlockElement:
			id, action.Value = e.ActionID, e.InitialValue
		case *slack.RadioButtonsBlockElement:
			id = e.ActionID
			if e.InitialOption != nil {
				action.SelectedOption = *e.InitialOption
			}
		case *slack.SelectBlockElement:
			id, action.SelectedConversation = e.ActionID, e.InitialConversation
			if e.InitialOption != nil {
				action.SelectedOption = *e.InitialOption
			}
		case *slack.FileInputBlockElement:
			id = e.ActionID
		case *slack.MultiSelectBlockElement:
			id, action.SelectedUsers = e.ActionID, e.InitialUsers
			for _, chosen := range e.InitialOptions {
				action.SelectedOptions = append(action.SelectedOptions, *chosen)
			}
		case *slack.CheckboxGroupsBlockElement:
			id = e.ActionID
			for _, ticked := range e.InitialOptions {
				action.SelectedOptions = append(action.SelectedOptions, *ticked)
			}
		default:
			require.Fail(t, "unknown element")
		}
		state.Values[in.BlockID] = map[string]slack.BlockAction{id: action}
	}
	return slack.View{PrivateMetadata: form.PrivateMetadata, State: &state}
}

// FuzzViews seeds a fuzz target with submitted views.
func FuzzViews(f *testing.F, decode func(*testing.T, slack.View)) {
	f.Helper()
	for _, seed := range []slack.View{Filled(Good()), Filled(map[string]string{"feedback": "a", "": "b", ":": "c"}), {}} {
		raw, err := json.Marshal(seed)
		require.NoError(f, err)
		f.Add(raw)
	}
	f.Add([]byte(`{"state":{"values":{"images":null,"channel:1":{"channel":{"selected_option":null}}}},"private_metadata":"["}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var view slack.View
		if json.Unmarshal(raw, &view) == nil {
			decode(t, view)
		}
	})
}

// Answered returns a submitted settings form with these answers by field.
func Answered(answers map[string]string) slack.View {
	values := map[string]map[string]slack.BlockAction{
		kit.BlockID("relay", 0, 0): {"relay": {SelectedOption: slack.OptionBlockObject{Value: string(store.RelayMentions)}}},
	}
	for field, value := range answers {
		values[kit.BlockID(field, 0, 0)] = map[string]slack.BlockAction{field: {SelectedOption: slack.OptionBlockObject{Value: value}}}
	}
	return slack.View{State: &slack.ViewState{Values: values}}
}
