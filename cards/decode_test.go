package cards

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// filled is a view as Slack submits it when the form's fields hold these values.
func filled(values map[string]string) slack.View {
	state := slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for block, value := range values {
		field, _, _ := strings.Cut(block, ":")
		state.Values[block] = map[string]slack.BlockAction{field: {
			Value: value, SelectedConversation: value, SelectedOption: slack.OptionBlockObject{Value: value},
		}}
	}
	return slack.View{PrivateMetadata: `{"draft":"d1","attempt":2}`, State: &state}
}

func good() map[string]string {
	return map[string]string{
		"channel:2": "C0PHOTOS", "images:2": "https://e.com/a.jpg\n\n https://e.com/b.jpg ", "service:2": "basic",
		"instructions:2": "Brighter\n\n Warmer \n", "project:2": " Smith  wedding ", "customer:2": " 77 ",
	}
}

func TestAFilledFormIsRead(t *testing.T) {
	form, problems := DecodeNewOrder(filled(good()))
	require.Empty(t, problems)
	require.Equal(t, Form{
		Draft: "d1", Attempt: 2, Channel: "C0PHOTOS", URLs: []string{"https://e.com/a.jpg", "https://e.com/b.jpg"},
		Service: order.ServiceBasic, Instructions: []string{"Brighter", "Warmer"}, ProjectName: "Smith wedding", CustomerID: "77",
		Shown: map[string]bool{fieldChannel: true, fieldImages: true, fieldCustomer: true},
	}, form)
}

func TestWhatIsWrongIsSaidBesideItsField(t *testing.T) {
	tests := map[string]struct{ field, value, want string }{
		"no channel":        {"channel:2", "", "Choose the channel"},
		"a person":          {"channel:2", "D123", "Choose a channel"},
		"no image":          {"images:2", " \n ", "at least one image URL"},
		"not a URL":         {"images:2", "https://e.com/a.jpg\nbeach.jpg", "Not a web address (http:// or https://): beach.jpg"},
		"another scheme":    {"images:2", "ftp://e.com/a.jpg", "Not a web address (http:// or https://): ftp://e.com/a.jpg"},
		"twice":             {"images:2", "https://e.com/a.jpg\nhttps://e.com/b.jpg\nhttps://e.com/a.jpg", "Listed more than once: https://e.com/a.jpg"},
		"many wrong":        {"images:2", "a b c d e f g", "a, b, c, d, e and 2 more"},
		"51 images":         {"images:2", urlLines(51), "These are 51 images; one order holds at most 50."},
		"no service type":   {"service:2", "", "Choose a service type."},
		"blank instruction": {"instructions:2", " \n\t\n", "Say what should be done"},
		"long project":      {"project:2", strings.Repeat("é", 81), "has 81 characters; at most 80 fit"},
		"long customer id":  {"customer:2", strings.Repeat("7", 21), "has 21 characters; at most 20 fit"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			values := good()
			values[tt.field] = tt.value
			view := filled(values)
			_, wrong := DecodeNewOrder(view)
			require.Len(t, wrong, 1)
			require.Contains(t, wrong.Beside(view)[tt.field], tt.want)
		})
	}
}

func TestWhatIsJustAllowedPasses(t *testing.T) {
	values := good()
	values["images:2"], values["project:2"], values["customer:2"] = urlLines(50), strings.Repeat("é", 80), strings.Repeat("7", 20)
	form, problems := DecodeNewOrder(filled(values))
	require.Empty(t, problems)
	require.Len(t, form.URLs, 50)
}

func urlLines(n int) string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("https://e.com/%d.jpg", i)
	}
	return strings.Join(lines, "\n")
}

func TestAnEmptySubmissionHasEveryProblem(t *testing.T) {
	_, problems := DecodeNewOrder(slack.View{})
	require.Len(t, problems, 3)
	require.Contains(t, problems[fieldInstructions], "image URL")
	require.Contains(t, problems[fieldInstructions], "Say what should be done")
}

func TestTheFormComesBackAsItWentOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[a-zé<&*]{1,60}`)
		d := store.Draft{
			ID: rapid.StringMatching(`[a-z]{1,9}`).Draw(t, "id"), Attempt: rapid.IntRange(0, 9).Draw(t, "attempt"),
			Channel: "C0PHOTOS", Service: order.ServiceExtensive,
			URLs:         addresses(urlLines(rapid.IntRange(1, 50).Draw(t, "urls"))),
			Instructions: rapid.SliceOfN(line, 1, 120).Draw(t, "instructions"),
			ProjectName:  line.Draw(t, "project"), CustomerID: rapid.StringMatching(`[0-9]{0,20}`).Draw(t, "customer"),
		}
		form, problems := DecodeNewOrder(untouched(t, NewOrder(d, Around{}, "x")))
		shown := map[string]bool{fieldImages: true}
		if d.CustomerID != "" {
			shown[fieldCustomer] = true
		}
		require.Empty(t, problems)
		require.Equal(t, Form{
			Draft: d.ID, Attempt: d.Attempt, Channel: d.Channel, URLs: d.URLs, Service: d.Service,
			Instructions: d.Instructions, ProjectName: d.ProjectName, CustomerID: d.CustomerID, Shown: shown,
		}, form)
	})
}

// untouched is what Slack submits when nobody changed the form.
func untouched(t require.TestingT, form slack.ModalViewRequest) slack.View {
	state := slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for _, b := range form.Blocks.BlockSet {
		in, ok := b.(*slack.InputBlock)
		if !ok {
			continue
		}
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

func TestEachAttemptHasFreshFields(t *testing.T) {
	first := NewOrder(store.Draft{ID: "d1", Attempt: 1}, Around{}, "x")
	same := NewOrder(store.Draft{ID: "d1", Attempt: 1}, Around{Balance: "88"}, "x")
	second := NewOrder(store.Draft{ID: "d1", Attempt: 2}, Around{}, "x")
	ids := func(v slack.ModalViewRequest) []string {
		var all []string
		for id := range untouched(t, v).State.Values {
			all = append(all, id)
		}
		return all
	}
	require.ElementsMatch(t, ids(first), ids(same))
	require.NotContains(t, ids(second), ids(first)[0])
}

func TestAnApprovalIsBoundToTheRevisionThatWasShown(t *testing.T) {
	tr := scene{"beach", 1}.tracked(order.StatusReviewing)
	for _, form := range []slack.ModalViewRequest{
		Approve(tr, Course{}, "Lovely", previews, "x"), ApproveStale(tr, Course{}, 0, "Lovely", previews, "x"), ApproveRefused(tr, Course{}, "Lovely", Problems{"no"}, previews, "x"),
	} {
		approval, problems := DecodeApprove(untouched(t, form))
		require.Empty(t, problems)
		require.Equal(t, Confirmation{Meta: Meta{Order: "1042", Revision: 1, Pictures: "7f77adebbfb7527a"}, Words: "Lovely"}, approval)
	}
}

func TestAnApprovalWithoutItsOrderIsAProblem(t *testing.T) {
	_, problems := DecodeApprove(filled(map[string]string{"feedback:1": "Lovely"}))
	require.Contains(t, problems["feedback:1"], "Copy your words")
}

func TestForeignMetadataIsNoMeta(t *testing.T) {
	for _, foreign := range []string{"", "x", "[]", `{"revision":"a"}`, `{"order":1}`} {
		require.Equal(t, Meta{}, DecodeMeta(foreign))
	}
}

func FuzzDecodeNewOrder(f *testing.F) {
	fuzzViews(f, func(t *testing.T, view slack.View) {
		t.Helper()
		form, problems := DecodeNewOrder(view)
		if len(problems) == 0 {
			checkLimits(t, NewOrder(store.Draft{ID: "d", Channel: form.Channel, URLs: form.URLs, Instructions: form.Instructions}, Around{}, "x"))
		}
	})
}

func FuzzDecodeApprove(f *testing.F) {
	fuzzViews(f, func(t *testing.T, view slack.View) {
		t.Helper()
		approval, problems := DecodeApprove(view)
		require.Equal(t, approval.Order == "", len(problems) == 1)
	})
}

func fuzzViews(f *testing.F, decode func(*testing.T, slack.View)) {
	f.Helper()
	for _, seed := range []slack.View{filled(good()), filled(map[string]string{"feedback": "a", "": "b", ":": "c"}), {}} {
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
