package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

// opensSettings opens a part of the channel's settings from their overview.
func opensSettings(who *person.T, part string) {
	who.Type("/order settings")
	who.SeesModal("Channel settings")
	who.PressOn(part, "Change")
	who.SeesModal(part)
}

// savesSettings saves the form, which returns to the overview, and closes that.
func savesSettings(who *person.T, says string) {
	who.Submit()
	who.SeesModal("Settings saved")
	who.Sees(says)
	who.CloseModal()
}

// setsOnPage opens a part of the settings of #shoots on the page.
func setsOnPage(x *browser.T, part string) {
	types(x, "shoots", "/order settings")
	x.SeesDialog("Channel settings")
	x.Press("Change " + part)
	x.SeesDialog(part)
}

// Two people open the channel's settings at the same time. Who saves last writes only what they changed, and who
// changed what the other changed is asked. The overview says who set each part.
func TestTwoPeopleChangeSettingsThatTheyOpenedTogether(t *testing.T) {
	t.Parallel()
	w := open(t)
	ben, olga := w.person("ben"), w.person("olga")
	ben.Goto("#shoots")
	opensSettings(ben, "Approval and limits")

	olga.Goto("#shoots")
	opensSettings(olga, "Messages")
	olga.Choose("What reaches the editor", "Every reply in an order's thread")
	olga.Choose("Quiet hours from", "20:00")
	olga.Choose("Quiet hours until", "07:00")
	olga.Submit()
	olga.SeesModal("Settings saved")
	olga.PressOn("Orders", "Change")
	olga.SeesModal("Orders")
	olga.Choose("Contact sheets", "Every round")
	olga.Check("Threads", "Say when an order is late")
	olga.Submit()
	olga.SeesModal("Settings saved")
	olga.PressOn("Approval and limits", "Change")
	olga.SeesModal("Approval and limits")
	olga.Choose("Who approves", "@Ben", "@Olga")
	olga.Fill("Credits for one order", "20")
	savesSettings(olga, "An order may cost 20 credits.")

	ben.Fill("Credits for a month", "300")
	ben.Choose("Who approves", "@Ben")
	ben.Submit()
	ben.Sees("Who approves: @Ben and @Olga")
	ben.SeesValue("Who approves", "@Ben")
	ben.SeesValue("Credits for one order", "20")
	ben.SeesValue("Credits for a month", "300")
	ben.Submit()
	ben.SeesModal("Settings saved")
	ben.Sees("Set by @Olga")
	ben.Sees("Set by @Ben")
	screen, lost := ben.Screen(), []string{}
	for _, holds := range []string{
		"Every reply", "contact sheet", "Late orders say so.", "Only @Ben approves.", "An order may cost 20 credits.", "A month may cost 300 credits.", "from 20:00 until 07:00",
	} {
		if !strings.Contains(screen, holds) {
			lost = append(lost, holds)
		}
	}
	require.Empty(t, lost)
	w.quiet()
	require.Equal(t, []string{
		"Olga changed the settings: every reply in an order's thread now goes to the editor. Begin a reply with `//` to keep it in Slack.",
		"Olga changed the settings: only Ben and Olga approve now. One order has a credit limit now. Beyond it, an approver is asked first.",
		"Ben changed the settings: only Ben approves now. A month has a credit limit now. Beyond it, an approver is asked first.",
	}, w.toldOfSettings())
}

// toldOfSettings returns what #shoots reads about changed settings.
func (w *world) toldOfSettings() (all []string) {
	for _, m := range w.Workspace.Messages("#shoots") {
		if strings.Contains(m.Text, "changed the settings") {
			all = append(all, m.Text)
		}
	}
	return all
}

// A change that binds others is told in the channel once, though Slack's answer is lost and the app is replaced, and
// not by a save that changes nothing.
func TestAChannelIsToldOnceWhatBindsItsMembers(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.Workspace.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
	relaysReplies(maria)
	w.app.stop()
	w.startApp()
	maria.Sees("Maria changed the settings: every reply in an order's thread now goes to the editor.")
	opensSettings(maria, "Messages")
	maria.SeesValue("Time zone", "UTC") // and not Etc/UTC
	maria.Submit()
	maria.SeesModal("Channel settings") // nothing was changed
	maria.CloseModal()
	w.quiet()
	require.Len(t, w.toldOfSettings(), 1)
}

// From the Home and from a direct message the channel is chosen first.
func TestSettingsAreFoundWithoutAChannel(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Goto("@darkroom")
	maria.Type("/order settings")
	maria.SeesModal("Channel settings")
	maria.Choose("Channel", "#shoots")
	maria.Sees("The editor gets only what is sent on purpose.")
	maria.PressOn("Messages", "Change")
	maria.SeesModal("Messages")
	maria.Choose("News", "In the thread only")
	savesSettings(maria, "Updates stay in the thread.")
	maria.OpenHome()
	maria.Press("Channel Settings")
	maria.SeesModal("Channel settings")
	maria.Choose("Channel", "#shoots")
	maria.Sees("Updates stay in the thread.")
}
