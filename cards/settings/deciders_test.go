package settings

import (
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// withPeople returns a submitted form with these people in a field; nil: nobody.
func withPeople(field string, chosen []string) slack.View {
	form := cardstest.Answered(nil)
	form.State.Values[kit.BlockID(field, 0, 0)] = map[string]slack.BlockAction{field: {SelectedUsers: chosen}}
	return form
}

func TestApproversAreNamedAndStayWhereTheFormDidNotAsk(t *testing.T) {
	before := Values{Settings: store.Settings{Decides: store.Decides{Approvers: []string{"U0OLGA"}}}}
	for name, row := range map[string]struct {
		form slack.View
		want []string
	}{
		"two":              {withPeople(fieldApprovers, []string{"U0BEN", "U0TOM"}), []string{"U0BEN", "U0TOM"}},
		"nobody":           {withPeople(fieldApprovers, nil), nil},
		"no people":        {withPeople(fieldApprovers, []string{"<!channel>", "C0PHOTOS"}), nil},
		"not asked":        {cardstest.Answered(nil), []string{"U0OLGA"}},
		"more than it has": {withPeople(fieldApprovers, []string{"U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8", "U9", "U10", "U11"}), []string{"U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8", "U9", "U10"}},
	} {
		got, problems := Form{Part: Approval}.decode(row.form, before)
		require.Empty(t, problems, name)
		require.Equal(t, row.want, got.Decides.Approvers, name)
	}
}
