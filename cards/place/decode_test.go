package place_test

import (
	"strings"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAFilledFormIsRead(t *testing.T) {
	form, problems := place.Decode(cardstest.Filled(cardstest.Good()))
	require.Empty(t, problems)
	require.Equal(t, place.Form{
		Draft: "d1", Attempt: 2, Channel: "C0PHOTOS", URLs: []string{"https://e.com/a.jpg", "https://e.com/b.jpg"},
		Service: order.ServiceBasic, Instructions: []string{"Brighter", "Warmer"}, ProjectName: "Smith wedding", CustomerID: "77",
		Shown: map[string]bool{place.FieldChannel: true, kit.FieldImages: true, place.FieldProject: true, place.FieldCustomer: true},
	}, form)
}

func TestWhatIsWrongIsSaidBesideItsField(t *testing.T) {
	tests := map[string]struct{ field, value, want string }{
		"no channel":        {"channel:2", "", "Choose the channel"},
		"a person":          {"channel:2", "D123", "Choose a channel"},
		"no image":          {"images:2", " \n ", "at least one photo link"},
		"not a URL":         {"images:2", "https://e.com/a.jpg\nbeach.jpg", "Not a link (http:// or https://): beach.jpg"},
		"another scheme":    {"images:2", "ftp://e.com/a.jpg", "Not a link (http:// or https://): ftp://e.com/a.jpg"},
		"twice":             {"images:2", "https://e.com/a.jpg\nhttps://e.com/b.jpg\nhttps://e.com/a.jpg", "Listed more than once: https://e.com/a.jpg"},
		"many wrong":        {"images:2", "a b c d e f g", "a, b, c, d, e and 2 more"},
		"51 images":         {"images:2", cardstest.URLLines(51), "51 photos; one order holds at most 50."},
		"no service type":   {"service:2", "", "Choose a service type."},
		"blank instruction": {"instructions:2", " \n\t\n", "Say what the editor should do"},
		"long project":      {"project:2", strings.Repeat("é", 81), "has 81 characters, but at most 80 fit"},
		"long customer id":  {"customer:2", strings.Repeat("7", 21), "has 21 characters, but at most 20 fit"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			values := cardstest.Good()
			values[tt.field] = tt.value
			view := cardstest.Filled(values)
			_, wrong := place.Decode(view)
			require.Len(t, wrong, 1)
			require.False(t, wrong.Unplaced(view))
			require.Contains(t, wrong.Beside(view)[tt.field], tt.want)
		})
	}
}

func TestWhatIsJustAllowedPasses(t *testing.T) {
	values := cardstest.Good()
	values["images:2"], values["project:2"], values["customer:2"] = cardstest.URLLines(50), strings.Repeat("é", 80), strings.Repeat("7", 20)
	form, problems := place.Decode(cardstest.Filled(values))
	require.Empty(t, problems)
	require.Len(t, form.URLs, 50)
}

func TestAnEmptySubmissionHasEveryProblem(t *testing.T) {
	_, problems := place.Decode(slack.View{})
	require.Len(t, problems, 3)
	require.Contains(t, problems[place.FieldInstructions], "photo link")
	require.Contains(t, problems[place.FieldInstructions], "Say what the editor should do")
}

func TestTheFormComesBackAsItWentOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[a-zé<&*]{1,60}`)
		d := store.Draft{
			ID: rapid.StringMatching(`[a-z]{1,9}`).Draw(t, "id"), Attempt: rapid.IntRange(0, 9).Draw(t, "attempt"),
			Channel: "C0PHOTOS", Service: order.ServiceExtensive,
			URLs:         kit.Addresses(cardstest.URLLines(rapid.IntRange(1, 50).Draw(t, "urls"))),
			Instructions: rapid.SliceOfN(line, 1, 120).Draw(t, "instructions"),
			ProjectName:  line.Draw(t, "project"), CustomerID: rapid.StringMatching(`[0-9]{0,20}`).Draw(t, "customer"),
		}
		form, problems := place.Decode(cardstest.Untouched(t, place.Window(d, place.FormExtras{}, "x")))
		shown := map[string]bool{kit.FieldImages: true, place.FieldProject: true}
		if d.CustomerID != "" {
			shown[place.FieldCustomer] = true
		}
		require.Empty(t, problems)
		require.Equal(t, place.Form{
			Draft: d.ID, Attempt: d.Attempt, Channel: d.Channel, URLs: d.URLs, Service: d.Service,
			Instructions: d.Instructions, ProjectName: d.ProjectName, CustomerID: d.CustomerID, Shown: shown,
		}, form)
	})
}

func TestEachAttemptHasFreshFields(t *testing.T) {
	first := place.Window(store.Draft{ID: "d1", Attempt: 1}, place.FormExtras{}, "x")
	same := place.Window(store.Draft{ID: "d1", Attempt: 1}, place.FormExtras{Balance: "88"}, "x")
	second := place.Window(store.Draft{ID: "d1", Attempt: 2}, place.FormExtras{}, "x")
	ids := func(v slack.ModalViewRequest) []string {
		var all []string
		for id := range cardstest.Untouched(t, v).State.Values {
			all = append(all, id)
		}
		return all
	}
	require.ElementsMatch(t, ids(first), ids(same))
	require.NotContains(t, ids(second), ids(first)[0])
}

func FuzzDecodeNewOrder(f *testing.F) {
	cardstest.FuzzViews(f, func(t *testing.T, view slack.View) {
		t.Helper()
		form, problems := place.Decode(view)
		if len(problems) == 0 {
			cardstest.CheckLimits(t, place.Window(store.Draft{ID: "d", Channel: form.Channel, URLs: form.URLs, Instructions: form.Instructions}, place.FormExtras{}, "x"))
		}
	})
}
