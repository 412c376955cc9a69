package settings

import (
	"encoding/json"
	"strings"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// opened returns the answers to a form of the part that showed these values.
func opened(part Part, shown Values, answers map[string]string) slack.View {
	view := cardstest.Answered(answers)
	if _, asked := answers[fieldRelay]; !asked && part != Messages {
		delete(view.State.Values, kit.BlockID(fieldRelay, 0, 0))
	}
	view.PrivateMetadata = Form{Part: part, Channel: "C0PHOTOS"}.Window(shown, "x1").PrivateMetadata
	return view
}

// The form's initial values must fit Slack's 3,000 characters of metadata, or the form would lose its channel.
func TestAFormOfSettingsCarriesAllThatItShowsAndAsksSixThings(t *testing.T) {
	t.Parallel()
	ids := func(n int, first string) (all []string) {
		for i := range n {
			all = append(all, first+string(rune('A'+i))+strings.Repeat("X", 29))
		}
		return all
	}
	largest := Values{Account: &store.Account{MonthLimit: mostCredits}, Settings: store.Settings{
		Relay: store.RelayMentions, News: store.NewsDirect, Sheets: store.SheetsLater, FinalImages: true, RemindHours: 168, SayLate: true, Digest: "08:00", Unfurl: true,
		Zone: "America/Argentina/ComodRivadavia",
		Decides: store.Decides{
			Approvers: ids(MostNamed, "U"), Spenders: ids(MostNamed, "W"), ApproverGroups: ids(MostGroups, "S"), SpenderGroups: ids(MostGroups, "S"),
			OrderLimit: mostCredits, MonthLimit: mostCredits,
		},
	}}
	largest.Quiet.From, largest.Quiet.Until = "20:00", "07:00"
	for _, part := range []Part{Orders, Approval, Messages, Account} {
		f := Form{Part: part, Channel: "C" + strings.Repeat("X", 30), Root: "settings:" + strings.Repeat("x", 20)}
		view := f.Window(largest, "x1")
		require.LessOrEqual(t, len(view.PrivateMetadata), kit.MaxMetadata)
		for field, value := range f.inputs(largest).Opening().Values() {
			require.Equal(t, value, kit.DecodeMeta(view.PrivateMetadata).Shown[field])
		}
		require.Equal(t, f, FormIn(slack.View{PrivateMetadata: view.PrivateMetadata}))
		require.LessOrEqual(t, len(view.Blocks.BlockSet), 6, "inputs of %s", part.Title())
	}
}

// A time of day is meant in the zone that the form showed.
func TestATimeIsAskedAboutWhereTheTimeZoneChanged(t *testing.T) {
	t.Parallel()
	in := func(zone string) Values { return Values{Settings: store.Settings{Zone: zone}} }
	berlin := in("Europe/Berlin")
	form := opened(Messages, berlin, map[string]string{fieldDigest: "08:00", fieldZone: "Europe/Berlin"})
	require.False(t, ReadEdit(form, berlin).Conflicts())
	require.True(t, ReadEdit(form, in("America/New_York")).Conflicts())
	form = opened(Messages, berlin, map[string]string{fieldDigest: "08:00", fieldZone: "Asia/Kolkata"})
	require.False(t, ReadEdit(form, Values{}).Conflicts(), "they chose the clock with the time")
	require.False(t, ReadEdit(form, in("Asia/Kolkata")).Conflicts(), "both chose the same clock")
	form = opened(Orders, berlin, map[string]string{fieldRemind: "24"})
	require.False(t, ReadEdit(form, in("America/New_York")).Conflicts(), "a number of hours is the same everywhere")
	require.Equal(t, "Europe/Berlin", ReadEdit(form, Values{}).Values.Zone, "a snooze until tomorrow means their morning")
}

func TestWhoIsNoOperatorAnyMoreReadsThatNothingWasSaved(t *testing.T) {
	t.Parallel()
	form := opened(Account, Values{Account: &store.Account{}}, map[string]string{fieldCredits: string(store.CreditsOperators)})
	require.Contains(t, ReadEdit(form, Values{}).Problems[kit.BlockID(fieldCredits, 0, 0)], "Only operators")
	edit := ReadEdit(form, Values{Account: &store.Account{}})
	require.Empty(t, edit.Problems)
	require.Equal(t, store.CreditsOperators, edit.Values.Account.Credits)
}

// ticked returns a form of Orders that showed some boxes ticked and was submitted with others.
func ticked(before store.Settings, boxes ...string) slack.View {
	view := opened(Orders, Values{Settings: before}, nil)
	var chosen []slack.OptionBlockObject
	for _, box := range boxes {
		chosen = append(chosen, slack.OptionBlockObject{Value: box})
	}
	view.State.Values[kit.BlockID(fieldTicks, 0, 0)] = map[string]slack.BlockAction{fieldTicks: {SelectedOptions: chosen}}
	return view
}

func TestTwoPeopleTickDifferentBoxes(t *testing.T) {
	t.Parallel()
	before := store.Settings{FinalImages: true}
	now := Values{Settings: store.Settings{FinalImages: true, SayLate: true}} // somebody else ticked one meanwhile
	edit := ReadEdit(ticked(before, "unfurl"), now)
	require.False(t, edit.Conflicts())
	require.Equal(t, store.Settings{SayLate: true, Unfurl: true}, withoutZone(edit.Values.Settings))
	require.True(t, edit.Changes())
	edit = ReadEdit(ticked(before, "finals"), now)
	require.Equal(t, now.Settings, withoutZone(edit.Values.Settings), "they changed nothing")
	require.False(t, edit.Changes())
}

func withoutZone(s store.Settings) store.Settings {
	s.Zone = ""
	return s
}

// The form of an earlier version, and one whose metadata is lost, belong to no part.
func TestAFormThatDoesNotSayItsPartHasNone(t *testing.T) {
	t.Parallel()
	for _, meta := range []string{`{"channel":"C1"}`, `{}`, ``, `{"channel":"C1","page":9}`, `{"channel":"C1","page":-1}`} {
		require.Zero(t, FormIn(slack.View{PrivateMetadata: meta}).Part, meta)
	}
	for value, part := range map[string]Part{"1": Orders, "4": Account, "5": Photos, "6": 0, "-1": 0, "": 0, "x": 0} {
		require.Equal(t, part, PartOf(value), value)
	}
}

func TestAChannelIsToldOnlyWhatBindsAndCallsNobody(t *testing.T) {
	t.Parallel()
	named := func(user string) string { return strings.TrimPrefix(user, "U0") }
	for name, row := range map[string]struct {
		before, now store.Settings
		says        string
	}{
		"relay on":         {store.Settings{}, store.Settings{Relay: store.RelayReplies}, "MARIA changed the settings: every reply in an order's thread now goes to the editor."},
		"relay off":        {store.Settings{Relay: store.RelayReplies}, store.Settings{Relay: store.RelayMentions}, "MARIA changed the settings: only what is sent on purpose reaches the editor now."},
		"approvers":        {store.Settings{}, deciding(store.Decides{Approvers: []string{"U0OLGA", "U0BEN"}, ApproverGroups: []string{"S1"}}), "only OLGA, BEN and 1 user group approve now."},
		"nobody approves":  {deciding(store.Decides{Approvers: []string{"U0OLGA"}}), store.Settings{}, "every member approves now."},
		"spenders":         {store.Settings{}, deciding(store.Decides{Spenders: []string{"U0TOM"}}), "only TOM orders without asking now"},
		"order limit":      {deciding(store.Decides{OrderLimit: 5}), deciding(store.Decides{OrderLimit: 7}), "the credit limit for one order is higher now."},
		"lower limit":      {deciding(store.Decides{MonthLimit: 7}), deciding(store.Decides{MonthLimit: 5}), "the credit limit for a month is lower now."},
		"a limit at first": {store.Settings{}, deciding(store.Decides{MonthLimit: 5}), "a month has a credit limit now."},
		"no limit":         {deciding(store.Decides{OrderLimit: 5}), store.Settings{}, "one order has no credit limit now."},
		"news":             {store.Settings{}, store.Settings{News: store.NewsThread}, "updates stay in each order's thread now."},
		"news by message":  {store.Settings{}, store.Settings{News: store.NewsDirect}, "updates come by direct message to the requester now."},
		"news as before":   {store.Settings{News: store.NewsDirect}, store.Settings{}, "updates that need somebody appear in the channel now."},
		"two":              {store.Settings{}, store.Settings{Relay: store.RelayReplies, News: store.NewsThread}, "Begin a reply with `//` to keep it in Slack. Updates stay"},
	} {
		m := Changed(store.SettingsJob{By: "U0MARIA", Edit: "e1", Before: row.before, Now: row.now}, named)
		require.Contains(t, m.Text, row.says, name)
		require.NotContains(t, m.Text, "<@", name)
		require.NotRegexp(t, `\b[57]\b`, m.Text, "guests read it")
		raw, err := json.Marshal(m.Metadata)
		require.NoError(t, err)
		var said slack.Message
		require.NoError(t, json.Unmarshal([]byte(`{"metadata":`+string(raw)+`}`), &said))
		require.Equal(t, "e1", EditOf(said))
		require.True(t, row.now.Binds(row.before), name)
	}
	require.False(t, store.Settings{RemindHours: 4, Relay: store.RelayMentions, News: store.NewsChannel, Sheets: store.SheetsEvery}.Binds(store.Settings{}), "nobody else is bound")
}

func deciding(d store.Decides) store.Settings { return store.Settings{Decides: d} }

func TestAChannelReadsWhichRoundsHaveAContactSheet(t *testing.T) {
	t.Parallel()
	for stored, want := range map[store.ContactSheets]struct{ chosen, says string }{
		"":                {"later", "Reviews have a contact sheet from round 2 on."},
		store.SheetsLater: {"later", "Reviews have a contact sheet from round 2 on."},
		store.SheetsEvery: {"every", "Every round has a contact sheet."},
		store.SheetsOff:   {"off", "No contact sheets."},
	} {
		now := Values{Settings: store.Settings{Sheets: stored}}
		view := Form{Part: Orders, Channel: "C0PHOTOS"}.Window(now, "x1")
		require.Equal(t, want.chosen, kit.DecodeMeta(view.PrivateMetadata).Shown["contact-sheets"])
		require.Equal(t, want.says, sheetsSetting.says(now))
	}
}
