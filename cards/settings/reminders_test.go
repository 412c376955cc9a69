package settings

import (
	"cmp"
	"strings"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/order"
	"darkroom/store"

	"github.com/stretchr/testify/require"
)

func TestSettingsOfRemindersStayWhereTheyAreNotAsked(t *testing.T) {
	t.Parallel()
	all := store.Settings{
		Relay: store.RelayMentions, RemindHours: 24, SayLate: true, Digest: "08:00", Zone: "Asia/Kolkata", Quiet: order.QuietHours{From: "20:00", Until: "07:00"},
	}
	for name, test := range map[string]struct {
		before  store.Settings
		answers map[string]string
		want    store.Settings
	}{
		"nothing was asked": {all, nil, all},
		"nonsense":          {all, map[string]string{fieldRemind: "-4", fieldLate: "maybe", fieldDigest: "25:00", fieldQuietFrom: "x", fieldQuietUntil: ""}, all},
		"all turned off": {all, map[string]string{
			fieldRemind: chosenOff, fieldLate: chosenOff, fieldDigest: chosenOff, fieldQuietFrom: chosenOff, fieldQuietUntil: chosenOff, fieldZone: "UTC",
		}, store.Settings{Relay: store.RelayMentions, Zone: "UTC"}},
		"all turned on": {store.Settings{}, map[string]string{
			fieldRemind: "24", fieldLate: chosenOn, fieldDigest: "08:00", fieldQuietFrom: "20:00", fieldQuietUntil: "07:00", fieldZone: "Asia/Kolkata",
		}, all},
	} {
		got, problems := Decode(cardstest.Answered(test.answers), test.before)
		require.Empty(t, problems, name)
		require.Equal(t, test.want, got, name)
	}
	for _, part := range []part{remindPart, latePart, digestPart, quietPart, zonePart} {
		require.Empty(t, part.confirm(store.Settings{Zone: "UTC"}), "nothing is said of what is off")
		require.NotEmpty(t, part.confirm(all))
	}
}

func TestSettingsThatCannotBeAreRefusedBesideThem(t *testing.T) {
	t.Parallel()
	for _, answers := range []map[string]string{
		{fieldQuietFrom: "20:00", fieldQuietUntil: chosenOff},
		{fieldQuietFrom: chosenOff, fieldQuietUntil: "20:00"},
		{fieldQuietFrom: "20:00", fieldQuietUntil: "20:00"},
		{fieldZone: "Mars/Olympus"},
		{fieldZone: "Local"},
	} {
		_, problems := Decode(cardstest.Answered(answers), store.Settings{})
		require.Len(t, problems, 1, "%v", answers)
	}
}

// The form offers the person's zone even if the list lacks it.
func TestTheFormOffersThePersonsOwnZone(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Europe/Berlin", "Antarctica/Troll", ""} {
		options := zoneChoices(store.Settings{Zone: zone})
		require.LessOrEqual(t, len(options), 100, "as many as Slack takes")
		n := 0
		for _, o := range options {
			if o.Value == cmp.Or(zone, "UTC") {
				n++
			}
		}
		require.Equal(t, 1, n, zone)
	}
	require.True(t, strings.HasPrefix(string(order.FullHour(7)), "07:"))
}
