package stories

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
)

// placeMany places orders of one image, numbered, without waiting for the channel. The
// service tells the time of an order in whole seconds, and people are quick: every order
// moves its clock, so that one is the newest.
func (w *world) placeMany(who *person.T, n int, ahead *atomic.Int64) {
	w.t.Helper()
	for i := range n {
		ahead.Add(int64(time.Second))
		w.fillOrder(who, fmt.Sprintf("Shooting day %02d", i+1))
		who.Submit()
		who.Sees("Order placed")
		who.CloseModal()
	}
}

func TestManyOrdersAreReadPageByPage(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64 // ns, of the service's clock
	w := open(t, func(o *sandbox.Options) {
		o.Photos.PerPage = 5
		o.Photos.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	})
	maria, olga := w.person("maria"), w.person("olga")
	w.placeMany(maria, 12, &ahead)

	maria.OpenHome()
	maria.SeesHome("Shooting day 11")
	require.NotContains(t, maria.Screen(), "Shooting day 10", "the newest two are enough")
	maria.Press("Show All 12")
	maria.SeesHome("12 orders, page 1 of 2")
	maria.SeesHome("Shooting day 12")
	maria.Press("Show Older")
	maria.SeesHome("page 2 of 2")
	maria.SeesHome("Shooting day 01")
	maria.PressOn("Shooting day 01", "Show Details")
	maria.SeesModal("Order details")
	maria.CloseModal()
	maria.Press("Show Newer")
	maria.SeesHome("page 1 of 2")
	maria.Choose("Which orders", "My orders · waiting for you")
	maria.SeesHome("My orders · waiting for you") // what it says of none stood there before
	maria.SeesHome("Nothing waits for you")
	maria.Choose("Which orders", "My orders · in progress")
	maria.SeesHome("12 orders, page 1 of 2")
	maria.PressOn("Shooting day 12", "Show Details")
	maria.SeesModal("Order details")
	maria.Press("Cancel Order")
	maria.SeesModal("Cancel order")
	maria.Submit()
	maria.Sees("Canceled: Shooting day 12")
	maria.CloseModal()
	maria.SeesHome("11 orders, page 1 of 2") // published after her own action, as she had chosen
	maria.Press("Show Overview")
	maria.SeesHome("Recent · 1 order")

	maria.Goto("#shoots")
	maria.Type("/order list")
	maria.SeesEphemeral("12 orders, page 1 of 2")
	maria.Press("Show Older")
	maria.SeesEphemeral("12 orders, page 2 of 2")
	maria.SeesEphemeral("Shooting day 01")
	maria.Press("Show Newer")
	maria.SeesEphemeral("12 orders, page 1 of 2")
	maria.PressOn("page 1 of 2", "Show Details")
	maria.SeesModal("Order details")
	maria.CloseModal()
	maria.Type("/order list canceled day")
	maria.SeesEphemeral("1 order")

	maria.Type("/order balance")
	maria.SeesEphemeral(w.Photos.Credits().String())

	olga.Type("/order list account")
	olga.SeesEphemeral("11 orders, page 1 of 3") // canceled ones are in none of the service's lists
	olga.Press("Show Older")
	olga.SeesEphemeral("11 orders, page 2 of 3")
	require.NotContains(t, w.lastAnswer("olga"), "Shooting day 12")
}

// behind is the time on a clock that is almost as late as a cancellation may be.
func behind() time.Time { return time.Now().Add(8*time.Second - 15*time.Minute) }

func TestAButtonGoesWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	// A service whose clock is almost a quarter of an hour behind: an order can be
	// canceled for a few seconds only.
	late := func(o *sandbox.Options) { o.Photos.ClockSkew, o.Photos.Now = hour, behind }
	w := open(t, late)
	maria := w.person("maria")
	w.place(maria, "Soon too late")
	maria.SeesButtonOn("Soon too late", "Cancel Order")
	maria.SeesNoButtonOn("Soon too late", "Cancel Order")
	maria.SeesButtonOn("Soon too late", "Message the Editor")
}
