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

// The form's initial values must fit Slack's 3,000 characters of metadata, or the form would lose its channel.
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

// A time of day is meant in the zone that the form showed.
func TestATimeIsAskedAboutWhereTheTimeZoneChanged(t *testing.T) {
	t.Parallel()
	form := cardstest.Answered(map[string]string{fieldDigest: "08:00", fieldZone: "Europe/Berlin"})
	form.PrivateMetadata = Window("C0PHOTOS", store.Settings{Zone: "Europe/Berlin"}, nil, "x1").PrivateMetadata
	require.False(t, ReadEdit(form, store.Settings{Zone: "Europe/Berlin"}, nil).Conflicts())
	require.True(t, ReadEdit(form, store.Settings{Zone: "America/New_York"}, nil).Conflicts())
	form = cardstest.Answered(map[string]string{fieldDigest: "08:00", fieldZone: "Asia/Kolkata"})
	form.PrivateMetadata = Window("C0PHOTOS", store.Settings{Zone: "Europe/Berlin"}, nil, "x1").PrivateMetadata
	require.False(t, ReadEdit(form, store.Settings{}, nil).Conflicts(), "they chose the clock with the time")
	require.False(t, ReadEdit(form, store.Settings{Zone: "Asia/Kolkata"}, nil).Conflicts(), "both chose the same clock")
	form = cardstest.Answered(map[string]string{fieldRemind: "24", fieldZone: "Europe/Berlin"})
	form.PrivateMetadata = Window("C0PHOTOS", store.Settings{Zone: "Europe/Berlin"}, nil, "x1").PrivateMetadata
	require.False(t, ReadEdit(form, store.Settings{Zone: "America/New_York"}, nil).Conflicts(), "a number of hours is the same everywhere")
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
