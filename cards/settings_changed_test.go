package cards

import (
	"strings"
	"testing"

	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// What the form showed travels with it: Slack takes 3,000 characters, and a form that lost them would lose its channel.
func TestTheFormOfSettingsCarriesAllThatItShows(t *testing.T) {
	t.Parallel()
	ids := func(n int, first string) (all []string) {
		for i := range n {
			all = append(all, first+string(rune('A'+i))+strings.Repeat("X", 29))
		}
		return all
	}
	largest := store.Settings{
		Relay: store.RelayMentions, Sheets: store.SheetsLater, FinalImages: true, RemindHours: 168, SayLate: true, Digest: "08:00", Unfurl: true,
		Zone: "America/Argentina/ComodRivadavia",
		Decides: store.Decides{
			Approvers: ids(MostNamed, "U"), Spenders: ids(MostNamed, "W"), ApproverGroups: ids(MostGroups, "S"), SpenderGroups: ids(MostGroups, "S"),
			OrderLimit: mostCredits, MonthLimit: mostCredits,
		},
	}
	largest.Quiet.From, largest.Quiet.Until = "20:00", "07:00"
	form := Settings("C"+strings.Repeat("X", 30), largest, &store.Account{}, "x1")
	require.LessOrEqual(t, len(form.PrivateMetadata), maxMetadata)
	require.Equal(t, settingsAsked(largest, &store.Account{}, nil).opening().values(), DecodeMeta(form.PrivateMetadata).Shown)
}

// A time of the day is meant by the clock that the form showed.
func TestATimeIsAskedAboutWhereTheTimeZoneChanged(t *testing.T) {
	t.Parallel()
	form := answered(map[string]string{fieldDigest: "08:00", fieldZone: "Europe/Berlin"})
	form.PrivateMetadata = Settings("C0PHOTOS", store.Settings{Zone: "Europe/Berlin"}, nil, "x1").PrivateMetadata
	require.False(t, EditSettings(form, store.Settings{Zone: "Europe/Berlin"}, nil).Met())
	require.True(t, EditSettings(form, store.Settings{Zone: "America/New_York"}, nil).Met())
	form = answered(map[string]string{fieldDigest: "08:00", fieldZone: "Asia/Kolkata"})
	form.PrivateMetadata = Settings("C0PHOTOS", store.Settings{Zone: "Europe/Berlin"}, nil, "x1").PrivateMetadata
	require.False(t, EditSettings(form, store.Settings{}, nil).Met(), "they chose the clock with the time")
	require.False(t, EditSettings(form, store.Settings{Zone: "Asia/Kolkata"}, nil).Met(), "both chose the same clock")
	form = answered(map[string]string{fieldRemind: "24", fieldZone: "Europe/Berlin"})
	form.PrivateMetadata = Settings("C0PHOTOS", store.Settings{Zone: "Europe/Berlin"}, nil, "x1").PrivateMetadata
	require.False(t, EditSettings(form, store.Settings{Zone: "America/New_York"}, nil).Met(), "a number of hours is the same everywhere")
}

func TestWhoIsNoOperatorAnyMoreReadsThatNothingWasSaved(t *testing.T) {
	t.Parallel()
	form := answered(nil)
	form.PrivateMetadata = Settings("C0PHOTOS", store.Settings{}, &store.Account{}, "x1").PrivateMetadata
	form.State.Values[blockID(fieldAllLimit, 0, 0)] = map[string]slack.BlockAction{fieldAllLimit: {Value: "500"}}
	require.Contains(t, EditSettings(form, store.Settings{}, nil).Problems[blockID(fieldAllLimit, 0, 0)], "Only operators")
	form.State.Values[blockID(fieldAllLimit, 0, 0)] = map[string]slack.BlockAction{fieldAllLimit: {}}
	require.Empty(t, EditSettings(form, store.Settings{}, nil).Problems, "what they left alone")
}

// settingsMet is a change of what others changed, too, of a form that showed what a channel has that set nothing.
func settingsMet() SettingsEdit {
	form := answered(map[string]string{fieldRemind: "24", fieldDigest: "08:00"})
	form.PrivateMetadata = Settings("C0PHOTOS", store.Settings{}, nil, "x1").PrivateMetadata
	form.State.Values[blockID(fieldApprovers, 0, 0)] = map[string]slack.BlockAction{fieldApprovers: {SelectedUsers: []string{"U0BEN"}}}
	return EditSettings(form, store.Settings{Digest: "09:00", Decides: store.Decides{Approvers: []string{"U0OLGA"}, ApproverGroups: []string{"S0LEADS"}}}, nil)
}
