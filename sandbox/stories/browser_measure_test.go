package stories

import (
	"os"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// counted is somebody before the page whose clicks and keystrokes are counted.
type counted struct {
	*browser.T
	clicks, keys int
}

func (c *counted) Press(name string, where ...browser.Where) {
	c.clicks++
	c.T.Press(name, where...)
}

func (c *counted) Fill(label, text string, where ...browser.Where) {
	c.clicks, c.keys = c.clicks+1, c.keys+utf8.RuneCountInString(text)
	c.T.Fill(label, text, where...)
}

// tall is how high the channel's messages are, in pixels.
func tall(x *browser.T, l browser.Look) int {
	x.Turn(l)
	x.Settle()
	defer x.Turn(browser.Look{})
	return browser.Evaluate[int](x, `Math.round(document.querySelector("[aria-label='Messages in #shoots']").getBoundingClientRect().height)`)
}

// TestWhatAnOrderTakes logs what somebody does from an open channel with three photos to the approved order, and
// how much of the channel the order takes. With -v and DARKROOM_MEASURE=1; it is no story.
func TestWhatAnOrderTakes(t *testing.T) {
	if os.Getenv("DARKROOM_MEASURE") == "" {
		t.Skip("DARKROOM_MEASURE=1 measures")
	}
	s := onPage(t)
	require.NoError(t, s.SharePhotos())
	maria := &counted{T: s.sits("maria", "shoots")}
	maria.SeesPictures(3)
	widths := []browser.Look{{}, {Phone: true}}
	before := map[browser.Look]int{}
	for _, l := range widths {
		before[l] = tall(maria.T, l)
	}
	height := func(when string) {
		for _, l := range widths {
			t.Logf("%-10s %4d pixels of the channel, %s", when, tall(maria.T, l)-before[l], l)
		}
	}
	maria.Press("Order these photos")
	maria.SeesDialog("New photo order")
	maria.Sees("3 photos in this order")
	maria.Press("Place Order")
	maria.Sees("Order placed")
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.Sees("1 reply")
	height("placed")
	require.NoError(t, s.Photos.Deliver(s.order().ID))
	maria.Sees("Ready for review: ")
	maria.Hover("Ready for review: ")
	height("to review")
	maria.Press("Approve", browser.Where{Item: "Ready for review: "})
	maria.SeesDialog("Approve order")
	maria.Press("Approve")
	maria.Sees("The order is closed")
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.SeesNoButton("Approve")
	height("approved")
	t.Logf("%d clicks, %d keystrokes", maria.clicks, maria.keys)
}
