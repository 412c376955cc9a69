package settings

import (
	"strings"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
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
	form := Window("C"+strings.Repeat("X", 30), largest, &store.Account{}, "x1")
	require.LessOrEqual(t, len(form.PrivateMetadata), kit.MaxMetadata)
	require.Equal(t, formInputs(largest, &store.Account{}, nil).Opening().Values(), kit.DecodeMeta(form.PrivateMetadata).Shown)
}

// A time of the day is meant by the clock that the form showed.
func TestATimeIsAskedAboutWhereTheTimeZoneChanged(t *testing.T) {
	t.Parallel()
	form := cardstest.Answered(map[string]string{fieldDigest: "08:00", fieldZone: "Europe/Berlin"})
	form.PrivateMetadata = Window("C0PHOTOS", store.Settings{Zone: "Europe/Berlin"}, nil, "x1").PrivateMetadata
	require.False(t, ReadEdit(form, store.Settings{Zone: "Europe/Berlin"}, nil).Met())
	require.True(t, ReadEdit(form, store.Settings{Zone: "America/New_York"}, nil).Met())
	form = cardstest.Answered(map[string]string{fieldDigest: "08:00", fieldZone: "Asia/Kolkata"})
	form.PrivateMetadata = Window("C0PHOTOS", store.Settings{Zone: "Europe/Berlin"}, nil, "x1").PrivateMetadata
	require.False(t, ReadEdit(form, store.Settings{}, nil).Met(), "they chose the clock with the time")
	require.False(t, ReadEdit(form, store.Settings{Zone: "Asia/Kolkata"}, nil).Met(), "both chose the same clock")
	form = cardstest.Answered(map[string]string{fieldRemind: "24", fieldZone: "Europe/Berlin"})
	form.PrivateMetadata = Window("C0PHOTOS", store.Settings{Zone: "Europe/Berlin"}, nil, "x1").PrivateMetadata
	require.False(t, ReadEdit(form, store.Settings{Zone: "America/New_York"}, nil).Met(), "a number of hours is the same everywhere")
}

func TestWhoIsNoOperatorAnyMoreReadsThatNothingWasSaved(t *testing.T) {
	t.Parallel()
	form := cardstest.Answered(nil)
	form.PrivateMetadata = Window("C0PHOTOS", store.Settings{}, &store.Account{}, "x1").PrivateMetadata
	form.State.Values[kit.BlockID(fieldAllLimit, 0, 0)] = map[string]slack.BlockAction{fieldAllLimit: {Value: "500"}}
	require.Contains(t, ReadEdit(form, store.Settings{}, nil).Problems[kit.BlockID(fieldAllLimit, 0, 0)], "Only operators")
	form.State.Values[kit.BlockID(fieldAllLimit, 0, 0)] = map[string]slack.BlockAction{fieldAllLimit: {}}
	require.Empty(t, ReadEdit(form, store.Settings{}, nil).Problems, "what they left alone")
}
