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
	all := store.Settings{RemindHours: 24, Digest: "08:00", Zone: "Asia/Kolkata", Quiet: order.QuietHours{From: "20:00", Until: "07:00"}}
	for name, test := range map[string]struct {
		before  store.Settings
		answers map[string]string
		want    store.Settings
	}{
		"nothing was asked": {all, nil, all},
		"nonsense":          {all, map[string]string{fieldRemind: "-4", fieldDigest: "25:00", fieldQuietFrom: "x", fieldQuietUntil: ""}, all},
		"all turned off": {all, map[string]string{
			fieldRemind: chosenOff, fieldDigest: chosenOff, fieldQuietFrom: chosenOff, fieldQuietUntil: chosenOff, fieldZone: "UTC",
		}, store.Settings{Zone: "UTC"}},
		"all turned on": {store.Settings{}, map[string]string{
			fieldRemind: "24", fieldDigest: "08:00", fieldQuietFrom: "20:00", fieldQuietUntil: "07:00", fieldZone: "Asia/Kolkata",
		}, all},
	} {
		now := Values{Settings: test.before}
		for _, part := range []Part{Orders, Messages} {
			var problems map[string]string
			now, problems = Form{Part: part}.decode(cardstest.Answered(test.answers), now)
			require.Empty(t, problems, name)
		}
		now.Relay = ""
		require.Equal(t, test.want, now.Settings, name)
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
		{fieldRelay: "everything"},
		{"news": "nowhere"},
	} {
		_, problems := Form{Part: Messages}.decode(cardstest.Answered(answers), Values{})
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
