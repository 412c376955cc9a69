package change

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// shownBy returns a window's text.
func shownBy(t *testing.T, view slack.ModalViewRequest) string {
	t.Helper()
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(view))
	return out.String()
}

// The note that the window can be closed appears only while results are missing.
func TestTheWindowOfSeveralApprovalsSaysWhetherMoreComes(t *testing.T) {
	done, waits := SelectedOutcome{ApprovalDone, "A is approved."}, SelectedOutcome{ApprovalWaits, "B waits."}
	for name, row := range map[string]struct {
		known map[string]SelectedOutcome
		all   int
		says  []string
		not   []string
	}{
		"nothing is known":             {nil, 2, []string{"Approving 2 orders …", cards.OnItsWay}, []string{"on the way"}},
		"one is":                       {map[string]SelectedOutcome{"a": done}, 2, []string{done.Text, "1 more is on the way …", cards.OnItsWay}, []string{"Approving"}},
		"one is, two are not":          {map[string]SelectedOutcome{"a": done}, 3, []string{"2 more are on the way …"}, nil},
		"all are":                      {map[string]SelectedOutcome{"a": done}, 1, []string{done.Text}, []string{cards.OnItsWay, "on the way", "Approving"}},
		"all are, and one of it waits": {map[string]SelectedOutcome{"a": done, "b": waits}, 2, []string{done.Text, waits.Text, cards.OnItsWay}, []string{"on the way", "Approving"}},
	} {
		t.Run(name, func(t *testing.T) {
			shown := shownBy(t, SelectedProgress(row.known, row.all, "x1"))
			for _, says := range row.says {
				require.Contains(t, shown, says)
			}
			for _, not := range row.not {
				require.NotContains(t, shown, not)
			}
		})
	}
}

func TestWhatHasToBeLookedAtIsNeitherApprovedNorWaiting(t *testing.T) {
	for _, a := range []Approval{ApprovalStale, ApprovalRefused, ApprovalDenied, ApprovalUnknown} {
		require.True(t, a.Failed(), a)
	}
	require.False(t, ApprovalWaits.Failed())
	require.False(t, ApprovalDone.Failed())
}

// ticked returns a form with these options checked, each in its own block.
func ticked(values ...string) slack.View {
	view := slack.View{State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}}
	for i, value := range values {
		id := kit.BlockID(fieldSelected, 0, i)
		input := slack.NewInputBlock(id, kit.PlainText("Order"), nil, slack.NewCheckboxGroupsBlockElement(fieldSelected))
		view.Blocks.BlockSet = append(view.Blocks.BlockSet, input)
		held := slack.BlockAction{}
		if value != "" {
			held.SelectedOptions = []slack.OptionBlockObject{{Value: value}}
		}
		view.State.Values[id] = map[string]slack.BlockAction{fieldSelected: held}
	}
	return view
}

func TestWhatIsTickedIsReadOnceAndAtMostTen(t *testing.T) {
	selected, problems := DecodeSelected(ticked("", cards.Value("a", 2)+".pictures", cards.Value("a", 3)+".others", "no order", cards.Value("b", 0)+".x"))
	require.Empty(t, problems)
	require.Equal(t, []Selected{{"a", 2, "pictures"}, {"b", 0, "x"}}, selected)

	var many []string
	for i := range MostSelected + 1 {
		many = append(many, cards.Value(fmt.Sprint("order", i), 0)+".x")
	}
	selected, _ = DecodeSelected(ticked(many...))
	require.Len(t, selected, MostSelected)

	_, problems = DecodeSelected(ticked("", ""))
	require.Len(t, problems, 1)
	require.Contains(t, strings.Join(values(problems), ""), "Nothing was sent")
}

func values(m map[string]string) (all []string) {
	for _, v := range m {
		all = append(all, v)
	}
	return all
}

// An order whose checkbox cannot carry the fingerprint would be approved unseen.
func TestATickHoldsWhatWasSeenOrTheOrderIsNotOffered(t *testing.T) {
	at := func(letters int) store.Tracked {
		return store.Tracked{ID: strings.Repeat("x", letters)}
	}
	room := kit.MaxOptionValue - len(cards.SeenValue(at(0)))
	require.True(t, Selectable(at(room)))
	require.False(t, Selectable(at(room+1)))
}

func TestHowManyWaitBesidesIsSaid(t *testing.T) {
	one := cardstest.Of("Smith", 1).Tracked(order.StatusReviewing)
	require.Contains(t, shownBy(t, SelectApprovals(Selection{Orders: []store.Tracked{one}, Total: 2}, cards.Thumbs{}, "x1")), "1 of 2 waiting")
	require.NotContains(t, shownBy(t, SelectApprovals(Selection{Orders: []store.Tracked{one}, Total: 1}, cards.Thumbs{}, "x1")), "waiting orders")
}
