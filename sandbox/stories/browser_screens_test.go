package stories

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// axePath is where `npm ci` in .ci puts it.
const axePath = "../../.ci/node_modules/axe-core/axe.min.js"

// looks are how every screen is looked at; the first is what the others are compared with.
var looks = []browser.Look{{}, {Dark: true}, {Narrow: true}, {Narrow: true, Dark: true}, {Phone: true}, {Phone: true, Dark: true}}

// screens leads somebody through every screen of the page, by an order of theirs.
func (s *stage) screens(x *browser.T, visit func(screen string)) {
	s.t.Helper()
	require.NoError(s.t, s.SharePhotos())
	x.SeesPictures(3, browser.Where{Item: "Brighten these"})
	visit("first look")
	x.Press("All steps")
	x.Sees("Order while the service is off")
	visit("tour")
	x.Press("All steps")

	types(x, "shoots", "/order new")
	x.SeesDialog("New photo order")
	x.Upload("Add files", s.onDisk(0, 1, 2)...)
	x.SeesPictures(3)
	x.Fill("Instructions", "Brighten the sky.\nKeep the sand as it is.")
	x.Fill("Project name", "Summer catalogue")
	x.Check("Set service type and instructions for each photo")
	visit("order form")
	x.Press("Next")
	x.Sees("3 photos")
	x.Fill("2 · house.jpg: Instruction", "Straighten the walls.")
	visit("image by image")
	x.Press("Place Order")
	x.Sees("Order placed")
	x.Press("Close")
	x.SeesNoDialog()
	x.Sees("1 reply")
	require.NoError(s.t, s.Photos.Deliver(s.order().ID))
	x.Sees("2 replies")
	x.SeesPictures(3, browser.Where{Item: "Ready for review"})
	visit("review")

	x.PressOn("Ready for review", "Request Changes")
	x.SeesDialog("Request changes")
	x.SeesPictures(3)
	x.Fill("1 · beach.jpg", "Less yellow.")
	visit("revise form")
	x.Press("Close")
	x.SeesNoDialog()

	x.PressOn("Summer catalogue", "Reply in thread")
	x.Sees("Placed by", thread)
	visit("thread")
	x.Press("Close the thread")

	x.Press("Darkroom APP…")
	x.Press("Home")
	x.Sees("Summer catalogue", browser.Where{Region: "Home"})
	visit("home")
	x.Press("shoots")
	x.SeesField("Message #shoots")
	x.Press("Editor's desk")
	x.SeesPictures(6, browser.Where{Region: "Behind the scenes"})
	visit("desk")
}

func TestEveryScreenIsWholeForEverybodyByDayAndNightOnDeskAndPhone(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	axe, err := os.ReadFile(axePath)
	if err != nil {
		require.False(t, required(), "axe-core: npm ci --prefix .ci brings it: %v", err)
		t.Logf("no axe-core (%v): npm ci --prefix .ci brings it", err)
	}
	maria := s.sits("maria", "shoots")
	s.screens(maria, func(screen string) {
		for _, look := range looks {
			where := screen + ", " + look.String()
			if look == (browser.Look{}) {
				maria.Settle()
			} else {
				requireTexts(t, maria, look, where)
			}
			require.Empty(t, maria.Overflow(), where)
			if len(axe) > 0 {
				require.Empty(t, violations(maria, string(axe)), where)
			}
		}
		maria.Turn(browser.Look{})
		maria.Settle()
	})
}

// onlyWithKeys is what a phone leaves out: it has no such keys.
var onlyWithKeys = []string{"Enter", "sends ·", "Shift + Enter", "new line ·", "F6", "next part"}

// requireTexts turns the page and requires that what can be read by day on a desktop can be read
// then as well. News may come between the two looks: who misses something looks at both again.
func requireTexts(t *testing.T, x *browser.T, look browser.Look, where string) {
	t.Helper()
	var missed string
	for range 5 {
		plain := textsOf(x, browser.Look{})
		if missed = misses(plain, textsOf(x, look), look.Phone); missed == "" {
			return
		}
	}
	require.Fail(t, missed, where)
}

// textsOf are the texts of the page, looked at like that.
func textsOf(x *browser.T, look browser.Look) map[string][]string {
	x.Turn(look)
	x.Settle()
	return x.Texts()
}

// misses says what of the plain page cannot be read; a phone shows fewer parts of it at
// once, but those in full.
func misses(plain, shown map[string][]string, phone bool) string {
	if !phone && !reflect.DeepEqual(plain, shown) {
		return fmt.Sprintf("by day %q, now %q", plain, shown)
	}
	if len(shown) == 0 {
		return "there is nothing to be read"
	}
	for part, texts := range shown {
		for _, text := range plain[part] {
			if !slices.Contains(texts, text) && !slices.Contains(onlyWithKeys, text) {
				return fmt.Sprintf("%s does not say %q; it says %q", part, text, texts)
			}
		}
	}
	return ""
}

// violations are what axe-core finds to be seriously or critically wrong on the page.
func violations(x *browser.T, axe string) []string {
	if !browser.Evaluate[bool](x, "typeof axe === 'object'") {
		browser.Evaluate[bool](x, "(() => {"+strings.ReplaceAll(axe, "</script", "")+"; return true })()")
	}
	return browser.Evaluate[[]string](x, `axe.run(document, {resultTypes: ["violations"]}).then(({ violations }) => violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.map(({ id, help, nodes }) => id + ": " + help + "\n" + nodes.map((n) => "  " + n.html.slice(0, 200) + "\n  " + n.failureSummary).join("\n")))`)
}
