package browser

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"darkroom/sandbox/person"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Where narrows what a person looks at: the newest item of a list that says something, or
// a named part of the page. Nothing is all they can reach: the page, or the dialog over it.
type Where struct {
	Item   string `json:"item,omitempty"`
	Region string `json:"region,omitempty"`
}

// asked is something to be found.
type asked struct {
	Roles []string `json:"roles,omitempty"`
	Name  string   `json:"name"`
	Where Where    `json:"where"`
	Text  bool     `json:"text,omitempty"` // by its words alone
}

// spot is where a pointer meets a thing; missing says why it does not yet.
type spot struct {
	X, Y    float64
	Missing string
}

var (
	pressable = []string{"button", "link", "tab", "menuitem", "menuitemradio", "menuitemcheckbox", "option", "switch"}
	writable  = []string{"textbox", "searchbox", "combobox", "spinbutton"}
)

func in(where []Where) Where {
	if len(where) == 0 {
		return Where{}
	}
	return where[0]
}

// reach moves the pointer to a thing and answers where that is.
func (x *T) reach(a asked) spot {
	x.tb.Helper()
	var at spot
	x.until("reaching "+a.Name, func() string {
		at = see[spot](x, call("point", a))
		return at.Missing
	})
	x.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0)
	return at
}

// click presses a thing, once more if it moved away under the pointer. What has led to another page was pressed.
func (x *T) click(a asked) {
	x.tb.Helper()
	const page = "performance.timeOrigin"
	x.until("pressing "+a.Name, func() string {
		at := x.reach(a)
		on := see[float64](x, page)
		x.mouse(input.DispatchMouseEventTypeMousePressed, at, 1)
		x.mouse(input.DispatchMouseEventTypeMouseReleased, at, 1)
		if !see[bool](x, "eyes.pressed()") && see[float64](x, page) == on {
			return "it moves away"
		}
		return ""
	})
}

func (x *T) mouse(kind input.DispatchMouseEventType, at spot, clicks int64) {
	x.tb.Helper()
	p := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, ClickCount: clicks}
	if clicks > 0 {
		p.Button = input.MouseButtonLeft
	}
	run(x, input.DispatchMouseEvent, p)
}

// Press clicks the button, link, tab, option or item of a menu of that name.
func (x *T) Press(name string, where ...Where) {
	x.tb.Helper()
	x.click(asked{Roles: pressable, Name: name, Where: in(where)})
}

// PressOn is Press in the newest message that says something; the pointer is over the
// message first, which may show more of it. It is brought there again when the page moves away under it meanwhile.
func (x *T) PressOn(message, name string) {
	x.tb.Helper()
	button := asked{Roles: pressable, Name: name, Where: Where{Item: message}}
	x.until("pressing "+name+" on "+message, func() string {
		if missing := x.pointAt(message); missing != "" {
			return missing
		}
		return see[spot](x, call("has", button)).Missing
	})
	x.click(button)
}

// ClickAt clicks at a place of the window, in CSS pixels.
func (x *T) ClickAt(left, top float64) {
	x.tb.Helper()
	at := spot{X: left, Y: top}
	x.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0)
	x.mouse(input.DispatchMouseEventTypeMousePressed, at, 1)
	x.mouse(input.DispatchMouseEventTypeMouseReleased, at, 1)
}

// Hover holds the pointer over the newest message that says something.
func (x *T) Hover(message string) {
	x.tb.Helper()
	x.until("pointing at "+message, func() string { return x.pointAt(message) })
}

// pointAt moves the pointer to the newest message that says something, and says what keeps it from there.
func (x *T) pointAt(message string) (missing string) {
	x.tb.Helper()
	at := see[spot](x, call("over", message))
	if at.Missing == "" {
		x.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0)
	}
	return at.Missing
}

// Rest takes the pointer away from everything.
func (x *T) Rest() {
	x.tb.Helper()
	x.mouse(input.DispatchMouseEventTypeMouseMoved, spot{X: 1, Y: 1}, 0)
}

// unfold presses More Options if the field of that label is behind it.
func (x *T) unfold(label string) {
	x.tb.Helper()
	if !slices.Contains(person.Folded, label) {
		return
	}
	pressed := false
	x.until("finding "+label, func() string {
		missing := see[seen](x, call("has", asked{Roles: append(slices.Clone(writable), "listbox", "group"), Name: label})).Missing
		if missing != "" && !pressed && see[seen](x, call("has", asked{Roles: pressable, Name: person.MoreOptions})).Missing == "" {
			x.click(asked{Roles: pressable, Name: person.MoreOptions})
			pressed = true
		}
		return missing
	})
}

// Fill replaces what the field of that label holds.
func (x *T) Fill(label, text string, where ...Where) {
	x.tb.Helper()
	x.unfold(label)
	x.click(asked{Roles: writable, Name: label, Where: in(where)})
	x.Keys("a", chromedp.ModifierCtrl)
	if text == "" {
		x.Keys(kb.Delete)
		return
	}
	x.Write(text)
}

// Choose takes an option of the select, or presses the one of a group, of that label.
func (x *T) Choose(label, option string, where ...Where) {
	x.tb.Helper()
	x.unfold(label)
	var typed bool
	x.until("choosing "+option+" of "+label, func() string {
		got := see[struct {
			Missing string
			Typed   bool
		}](x, call("choose", map[string]any{"name": label, "option": option, "where": in(where)}))
		typed = got.Typed
		return got.Missing
	})
	if typed { // its options come when something is typed
		x.Fill(label, option, where...)
		x.Press(option)
	}
}

// Pick presses the radio button of that name in the group of that label.
func (x *T) Pick(group, option string) {
	x.tb.Helper()
	x.click(asked{Roles: []string{"radio"}, Name: option, Where: Where{Region: group}})
}

// Check turns the checkbox of that name.
func (x *T) Check(name string, where ...Where) {
	x.tb.Helper()
	x.click(asked{Roles: []string{"checkbox"}, Name: name, Where: in(where)})
}

// Write puts words where the focus is, as an input method does.
func (x *T) Write(text string) {
	x.tb.Helper()
	run(x, input.InsertText, input.InsertTextParams{Text: text})
}

// Keys presses keys one after the other; see package kb for those that write nothing.
func (x *T) Keys(keys string, held ...chromedp.Modifier) {
	x.tb.Helper()
	for _, key := range keys {
		for _, event := range strokes(key, held) {
			run(x, input.DispatchKeyEvent, event)
		}
	}
}

// strokes are a key's way down and up. What it writes belongs to the way down: a page that
// prevents the one has then prevented the other, as with a real key.
func strokes(key rune, held []chromedp.Modifier) []input.DispatchKeyEventParams {
	all := kb.Encode(key)
	down, up := *all[0], *all[len(all)-1]
	for _, modifier := range held {
		down.Modifiers |= int64(modifier)
		up.Modifiers |= int64(modifier)
	}
	if len(all) > 2 && down.Modifiers&^int64(chromedp.ModifierShift) == 0 {
		down.Text, down.UnmodifiedText = all[1].Text, all[1].UnmodifiedText
	}
	return []input.DispatchKeyEventParams{down, up}
}

// Upload presses the words on a button that opens the file chooser, and chooses files.
func (x *T) Upload(button string, files ...string) {
	x.tb.Helper()
	opened := make(chan cdp.BackendNodeID, 1)
	x.trouble.choosing(func(e page.EventFileChooserOpened) {
		select {
		case opened <- e.BackendNodeID:
		default:
		}
	})
	defer x.trouble.choosing(nil)
	run(x, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true})
	x.until("choosing files after "+button, func() string {
		x.click(asked{Name: button, Text: true})
		again := time.NewTimer(x.patience / 4) // the form may have been drawn again under the pointer
		defer again.Stop()
		select {
		case node := <-opened:
			run(x, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: absolute(files), BackendNodeID: node})
			return ""
		case <-again.C:
			return button + " opens no file chooser"
		}
	})
	run(x, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: false})
}

// Drop drags files from elsewhere onto the words and lets them go.
func (x *T) Drop(words string, files ...string) {
	x.tb.Helper()
	at := x.reach(asked{Name: words, Text: true})
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: absolute(files), DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		run(x, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: at.X, Y: at.Y, Data: data})
	}
}

func absolute(files []string) []string {
	all := make([]string, len(files))
	for i, file := range files {
		all[i], _ = filepath.Abs(file) // the working folder is known
	}
	return all
}

// run sends a command of the protocol.
func run[P, R any](x *T, command cdp.Command[P, R], params P) R {
	x.tb.Helper()
	result, err := chromedp.Call(x.ctx, command, params)
	if err != nil {
		x.tb.Fatalf("browser: %s: %v", strings.TrimSpace(string(command.Method)), err)
	}
	return result
}

// TabTo presses Tab until the keyboard is at the thing of that name, which may still be on its
// way; it fails where one cannot see where the keyboard is.
func (x *T) TabTo(name string, held ...chromedp.Modifier) {
	x.tb.Helper()
	x.steps("\t", name, func(at focus) bool { return at.Name == name }, held...)
}

// TabToItem is TabTo for the item of a list that says the words.
func (x *T) TabToItem(says string, held ...chromedp.Modifier) {
	x.tb.Helper()
	x.steps("\t", says, func(at focus) bool { return at.on(says) }, held...)
}

// ArrowTo presses the right arrow until the keyboard is at the thing of that name, or with
// those words on it, as in a menu or within a message.
func (x *T) ArrowTo(name string) {
	x.tb.Helper()
	x.steps(kb.ArrowRight, name, func(at focus) bool { return at.Name == name || at.Text == name })
}

// steps presses a key until the keyboard is where it should be.
func (x *T) steps(key, wanted string, there func(focus) bool, held ...chromedp.Modifier) {
	x.tb.Helper()
	var met []string
	for over := time.Now().Add(x.patience); time.Now().Before(over); {
		at := x.Focus()
		if name := at.Role + " " + at.Name; !slices.Contains(met, name) {
			met = append(met, name)
		}
		if at.Role != "" && !at.Visible {
			x.lost("one cannot see that the keyboard is at " + at.Role + " " + at.Name)
		}
		if there(at) {
			return
		}
		x.Keys(key, held...)
	}
	x.lost("the key does not lead to " + wanted + ", but to " + strings.Join(met, ", "))
}
