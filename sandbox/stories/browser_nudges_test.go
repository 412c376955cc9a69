package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
	"darkroom/sandbox/photos"
)

// Reminders and the digest are switched on in one form; the digest comes at its hour by the channel's own clock, and
// what waits says so once, where it is put off and says who did that.
func TestNudgesAreSwitchedOnReadAndSnoozedOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	order := s.ordersAddress(maria, "Forgotten", s.Samples()[0])
	require.NoError(t, s.Photos.Deliver(order.ID))
	maria.Sees("Ready for review: Forgotten")
	maria.DoesNotSee("This channel's open orders")

	setsOnPage(maria, "Orders")
	maria.SeesValue("Remind after waiting", "Off")
	maria.Choose("Remind after waiting", "4 hours")
	maria.Press("Save")
	maria.Sees("A waiting order reminds after 4 hours.")
	maria.Press("Change Messages")
	maria.SeesDialog("Messages")
	maria.SeesValue("Morning digest", "Off")
	maria.Choose("Time zone", "Asia/Kolkata")
	now := time.Now().In(time.FixedZone("Asia/Kolkata", 5*60*60+30*60)).Format("15:00")
	maria.Choose("Morning digest", now)
	s.fits(maria)
	maria.SeesValue("Morning digest", now)
	maria.SeesValue("Time zone", "Asia/Kolkata")
	maria.Press("Save")
	maria.Sees("A digest comes at " + now + " (Asia/Kolkata).")
	maria.Press("Close")
	maria.SeesNoDialog()

	s.later(5*time.Hour, order.ID)
	s.until("both are out", func() bool {
		return s.digests("Forgotten") == 1 && s.countInThread("Forgotten", "Reminder: Forgotten") == 1
	})
	digest := browser.Where{Item: "🌅 This channel's open orders"}
	maria.Sees("Waits for review", digest)
	maria.SeesButton("Forgotten", digest)       // the way to its card
	maria.SeesNoButton("Snooze Until Tomorrow") // a reminder stays in its thread
	s.fits(maria)
	maria.PressOn("Brighten the sky.", "Reply in thread")
	reminder := browser.Where{Item: "Reminder: Forgotten"}
	maria.Sees("@Maria it waits for your review in this thread.", reminder)
	s.fits(maria)
	maria.PressOn("Reminder: Forgotten", "Snooze 4 Hours")
	maria.Sees("💤 Snoozed by Maria until", reminder)
	maria.SeesNoButton("Snooze Until Tomorrow", reminder)
	maria.SeesNoButton("Snooze 4 Hours", reminder)
	maria.Sees("If it still waits then, the next reminder comes", thread)
	s.fits(maria)
	require.Equal(t, 1, s.countInThread("Forgotten", "Reminder: Forgotten"), "once")
}

// ordersAddress is how somebody orders one image that is on the web.
func (s *stage) ordersAddress(x *browser.T, project, address string) photos.Order {
	s.t.Helper()
	types(x, "shoots", "/order new "+address)
	x.SeesDialog("New photo order")
	x.Fill("Instructions", "Brighten the sky.")
	x.Fill("Project name", project)
	x.Press("Place Order")
	x.Sees("Order placed")
	x.Press("Close")
	x.SeesNoDialog()
	x.Sees("1 reply", browser.Where{Item: project})
	return s.called(project)
}

// fits requires that what is on the screen fits a phone as well, and turns back to the desktop.
func (s *stage) fits(x *browser.T) {
	s.t.Helper()
	for _, look := range []browser.Look{{Phone: true}, {}} {
		x.Turn(look)
		x.Settle()
		require.EventuallyWithT(s.t, func(c *assert.CollectT) { assert.Empty(c, x.Overflow(), look.String()) }, glance, tick)
	}
}
