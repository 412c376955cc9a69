package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Two people open the channel's settings at the same time. Who saves last writes only what they changed, and who
// changed what the other changed is asked.
func TestTwoPeopleChangeSettingsThatTheyOpenedTogether(t *testing.T) {
	t.Parallel()
	w := open(t)
	ben, olga := w.person("ben"), w.person("olga")
	ben.Goto("#shoots")
	ben.Type("/order settings")
	ben.SeesModal("Channel settings")

	olga.Goto("#shoots")
	olga.Type("/order settings")
	olga.SeesModal("Channel settings")
	olga.Choose("What reaches the editor", "Every reply in an order's thread")
	olga.Choose("Contact sheets", "Every round")
	olga.Choose("Who approves", "@Ben", "@Olga")
	olga.Fill("Credits for one order", "20")
	olga.Choose("Quiet hours from", "20:00")
	olga.Choose("Quiet hours until", "07:00")
	olga.Submit()
	olga.Sees("Saved")
	olga.CloseModal()

	ben.Choose("Remind when an order waits for you", "After 1 day")
	ben.Fill("Credits for a month", "300")
	ben.Choose("Who approves", "@Ben")
	ben.Submit()
	ben.Sees("Who approves: @Ben and @Olga")
	ben.SeesValue("Who approves", "@Ben")
	ben.SeesValue("Credits for one order", "20")
	ben.SeesValue("Credits for a month", "300")
	ben.Submit()
	ben.Sees("Saved")
	screen, lost := ben.Screen(), []string{}
	for _, holds := range []string{
		"Every reply", "Contact sheets", "only @Ben", "over 20 credits", "over 300 credits", "from 20:00 until 07:00", "for 1 day",
	} {
		if !strings.Contains(screen, holds) {
			lost = append(lost, holds)
		}
	}
	require.Empty(t, lost)
}
