package stories

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
	"darkroom/sandbox/workspace"
)

// ways are what people do most. They are walked by what a person sees, and by as little of it as it takes, so that they can be
// walked in another version of the app as well: `make measure` counts what they take, `make screenshots` takes their pictures.
var ways = []struct {
	name, title string
	walk        func(w *walker)
}{
	{"first-order", "A first order, to approved", (*walker).firstOrder},
	{"batch", "A batch of ten, to delivered", (*walker).batch},
	{"two-rounds", "Twelve photos, two rounds", (*walker).twoRounds},
	{"settings", "Settings: relay mode", (*walker).settings},
}

// walker walks a way as Maria, in #shoots.
type walker struct {
	*stage
	*counted
	look func(step string) // looks at what is on the screen when it is at rest
}

// walks starts a way; change is what the window is like.
func walks(t *testing.T, o ...browser.Options) *walker {
	t.Helper()
	s := onPage(t)
	return &walker{stage: s, counted: &counted{T: s.sits("maria", "shoots", o...)}, look: func(string) {}}
}

// counted is somebody before the page whose clicks and keystrokes are counted.
type counted struct {
	*browser.T
	clicks, keys int
}

func (c *counted) Press(name string, where ...browser.Where) {
	c.clicks++
	c.T.Press(name, where...)
}

func (c *counted) PressOn(message, name string) {
	c.clicks++
	c.T.PressOn(message, name)
}

func (c *counted) Check(name string, where ...browser.Where) {
	c.clicks++
	c.T.Check(name, where...)
}

func (c *counted) Pick(group, option string) {
	c.clicks++
	c.T.Pick(group, option)
}

// Upload is two clicks: the button, and the files in the system's own window.
func (c *counted) Upload(button string, files ...string) {
	c.clicks += 2
	c.T.Upload(button, files...)
}

func (c *counted) Fill(label, text string, where ...browser.Where) {
	c.clicks, c.keys = c.clicks+1, c.keys+utf8.RuneCountInString(text)
	c.T.Fill(label, text, where...)
}

// types writes a line to the channel and sends it.
func (c *counted) types(line string) {
	c.Fill("Message #shoots", line)
	c.keys++
	c.Keys("\r")
}

// top is the topmost window or question of the page. The zero value means that none is open.
type top struct {
	Title  string
	Main   string // its last button: what it is for, or Close
	Asks   bool   // Main does something
	Tall   int    // pixels, with what one scrolls to
	Words  int    // that can be read in it
	Moment bool   // it says that it is on its way
}

const topmost = `(() => {
	const e = [...document.querySelectorAll("[aria-modal=true]")].filter((e) => e.checkVisibility()).at(-1);
	if (!e) return {};
	const buttons = [...e.querySelectorAll("button")].filter((b) => b.checkVisibility());
	const main = buttons.at(-1);
	const texts = Object.values(eyes.texts()).length && Object.entries(eyes.texts()).find(([part]) => part === e.computedRole + " " + e.computedName);
	const words = (texts?.[1] ?? []).join(" ");
	return {
		Title: e.computedName,
		Main: main.innerText.trim(),
		Asks: e.role === "alertdialog" || main.type === "submit" && main.ariaDisabled !== "true",
		Tall: Math.round(Math.max(e.scrollHeight, [...e.children].reduce((sum, part) => sum + Math.max(part.scrollHeight, part.offsetHeight), 0))),
		Words: words.split(/\s+/).filter(Boolean).length,
		Moment: words.includes("One moment"),
	};
})()`

func (w *walker) top() top { return browser.Evaluate[top](w.T, topmost) }

// longest is how long a way waits for something: ten cards take ten seconds of a channel's rate, and their news as many again.
const longest = 3 * time.Minute

func (w *walker) waits(what string, done func() bool) {
	w.t.Helper()
	ok := assert.Eventually(w.t, done, longest, 100*time.Millisecond, what)
	if !ok {
		require.FailNow(w.t, what, w.Screen())
	}
}

// rests waits until nothing has changed on the screen and nobody has called Slack for so long.
func (w *walker) rests(long time.Duration) {
	w.t.Helper()
	var before string
	var since time.Time
	w.waits("rest", func() bool {
		now := fmt.Sprint(len(w.Workspace.Requests()), w.Screen())
		if now != before || w.top().Moment {
			before, since = now, time.Now()
		}
		return time.Since(since) >= long
	})
}

// step is a screen of the way.
func (w *walker) step(name string) {
	w.t.Helper()
	w.rests(2 * time.Second)
	w.look(name)
}

// sees waits until one of the words can be read.
func (w *walker) sees(words ...string) {
	w.t.Helper()
	w.waits(strings.Join(words, " or "), func() bool {
		return slices.ContainsFunc(words, func(one string) bool { return strings.Contains(w.Screen(), one) })
	})
}

// has tells whether something of that name can be used there.
func (w *walker) has(name string, where browser.Where, roles ...string) bool {
	asked, _ := json.Marshal(map[string]any{"roles": roles, "name": name, "where": where}) // strings
	return browser.Evaluate[bool](w.T, "!eyes.has("+string(asked)+").missing")
}

// called waits for the first of these names that something there has.
func (w *walker) named(roles []string, where browser.Where, names ...string) (found string) {
	w.t.Helper()
	w.waits(strings.Join(names, " or "), func() bool {
		i := slices.IndexFunc(names, func(name string) bool { return w.has(name, where, roles...) })
		if i >= 0 {
			found = names[i]
		}
		return i >= 0
	})
	return found
}

var (
	button = []string{"button", "link", "menuitem"}
	field  = []string{"textbox", "combobox"}
)

// presses presses the first of these buttons that is there.
func (w *walker) presses(where browser.Where, names ...string) {
	w.t.Helper()
	w.Press(w.named(button, where, names...), where)
}

// fills writes into the first of these fields that is there.
func (w *walker) fills(text string, labels ...string) {
	w.t.Helper()
	w.Fill(w.named(field, browser.Where{}, labels...), text)
}

// goes follows a press to its end. It submits one window or question if there is one, waits until done is true, and
// closes the last window.
func (w *walker) goes(step string, done func() bool) {
	w.t.Helper()
	w.waits(step, func() bool { return done() || w.top().Asks })
	if !done() {
		w.step(step)
		w.Press(w.top().Main)
	}
	w.waits(step, done)
	w.closes(step)
}

// closes reads what the window of a step says at the end, if it is there, and closes it.
func (w *walker) closes(step string) {
	w.t.Helper()
	for w.rests(2 * time.Second); w.top().Title != ""; w.rests(time.Second) {
		w.look(step + "-done")
		w.presses(browser.Where{}, "Done", "Close")
	}
}

// wanted is what the editor shall do.
const wanted = "Brighten the sky."

// instructions are what the field is called.
var instructions = []string{"What should the editor do?", "Instructions", "For rows without their own"}

// firstOrder is from `/order new` to approved, with three photos of one's own.
func (w *walker) firstOrder() {
	w.types("/order new")
	w.sees("Add files")
	w.Upload("Add files", w.onDisk(0, 1, 2)...)
	w.SeesPictures(3)
	w.fills(wanted, instructions...)
	w.step("form")
	w.presses(browser.Where{}, "Place order")
	w.goes("place", func() bool { return len(w.Photos.Orders()) == 1 && !w.top().Asks })
	w.sees("1 reply")
	w.step("card")
	require.NoError(w.t, w.Photos.Deliver(w.order().ID))
	w.sees("Ready for review: ")
	w.step("review")
	w.presses(browser.Where{Item: "Ready for review: "}, "Approve")
	w.goes("approve", func() bool { return w.order().Approvals > 0 })
	w.SeesNoButton("Approve")
	w.step("approved")
}

// batch is ten orders of one file, to delivered.
func (w *walker) batch() {
	lines := []string{"name,images"}
	for i, name := range []string{"Smith", "Jones", "Brown", "Garcia", "Miller", "Davis", "Lopez", "Wilson", "Moore", "Clark"} {
		lines = append(lines, fmt.Sprintf("%s wedding,%s?shot=%d", name, w.Samples()[i%5], i+1))
	}
	w.types("/order new")
	w.sees("Add files")
	w.Upload("Add files", w.tableOnDisk("weddings.csv", lines...))
	w.sees("weddings.csv")
	w.fills(wanted, instructions...)
	w.step("form")
	w.presses(browser.Where{}, "Place order", "Next")
	w.waits("ten orders", func() bool { return strings.Contains(w.top().Main, "10") })
	w.goes("rows", func() bool { return len(w.Photos.Orders()) == 10 })
	w.rests(5 * time.Second)
	w.look("placed")
	for _, o := range w.Photos.Orders() {
		require.NoError(w.t, w.Photos.Deliver(o.ID))
	}
	w.sees("eady for review")
	w.rests(6 * time.Second)
	w.look("delivered")
}

// twoRounds is an order of twelve photos of a message, a review, changes of two of them, a second review, approval.
func (w *walker) twoRounds() {
	var all []workspace.Upload
	for i := range 12 {
		photo := w.picture(i % 5)
		photo.Name = fmt.Sprintf("%s-%d.jpg", strings.TrimSuffix(photo.Name, ".jpg"), i+1)
		all = append(all, photo)
	}
	w.person("ben").Share("The wedding, twelve photos.", all...)
	w.SeesPictures(12, browser.Where{Item: "The wedding, twelve photos."})
	w.PressOn("The wedding, twelve photos.", "More actions")
	w.presses(browser.Where{}, "Order these photos")
	w.waits("the form", func() bool { return w.top().Asks })
	w.step("form")
	w.presses(browser.Where{}, "Place order")
	w.goes("place", func() bool { return len(w.Photos.Orders()) == 1 && !w.top().Asks })
	w.sees("1 reply")
	require.NoError(w.t, w.Photos.Deliver(w.order().ID))
	w.sees("Ready for review: ")
	w.step("review")
	w.presses(browser.Where{Item: "Ready for review: "}, "Request changes")
	w.waits("pictures", func() bool { return w.top().Asks })
	w.step("changes")
	w.writesTo(1, "Less yellow.")
	w.writesTo(9, "Straighten it.")
	w.step("two-of-twelve")
	w.presses(browser.Where{}, w.top().Main)
	w.waits("changes", func() bool { return len(w.order().Revisions) == 1 })
	w.closes("changes")
	require.NoError(w.t, w.Photos.Deliver(w.order().ID))
	w.SeesPictures(1, browser.Where{Item: ", round 2"}) // the sheet
	w.step("second-review")
	w.presses(browser.Where{Item: ", round 2"}, "Approve")
	w.goes("approve", func() bool { return w.order().Approvals > 0 })
	w.SeesNoButton("Approve")
	w.step("approved")
}

// writesTo types the changes for one photo. It opens the photo's box first if it is closed.
func (w *walker) writesTo(n int, text string) {
	w.t.Helper()
	label := w.label(n)
	asks := "Add changes: " + label
	w.waits(label, func() bool {
		return w.has(label, browser.Where{}, append([]string{"checkbox"}, field...)...) || w.has(asks, browser.Where{}, button...)
	})
	switch {
	case w.has(label, browser.Where{}, field...):
	case w.has(asks, browser.Where{}, button...):
		w.Press(asks)
	default:
		w.Check(label)
	}
	w.fills(text, label)
}

// settings is what is read and pressed until every reply reaches the editor.
func (w *walker) settings() {
	w.types("/order settings")
	w.waits("settings", func() bool { return w.top().Title != "" && !w.top().Moment })
	w.step("settings")
	every := "Every reply in an order's thread…"
	if !w.has(every, browser.Where{}, "radio") {
		w.presses(browser.Where{}, "Change messages", "Messages", "Change") // its row is the last
		w.waits("messages", func() bool { return w.has(every, browser.Where{}, "radio") })
		w.step("messages")
	}
	w.Pick("What reaches the editor", every)
	w.Press("Save")
	w.closes("save")
	w.step("channel")
}
