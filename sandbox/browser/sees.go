package browser

import (
	"fmt"
	"strings"
)

type seen struct {
	Yes     bool
	Missing string
	Nowhere bool // the part of the page that was to be looked at is not there
	Value   string
}

// Sees waits until the words can be read.
func (x *T) Sees(text string, where ...Where) {
	x.tb.Helper()
	x.until("seeing "+text, func() string { return see[seen](x, call("reads", reading{text, in(where)})).Missing })
}

type reading struct {
	Text  string `json:"text"`
	Where Where  `json:"where"`
}

// DoesNotSee waits until the words can be read no more, in a part of the page that is there.
func (x *T) DoesNotSee(text string, where ...Where) {
	x.tb.Helper()
	x.until("not seeing "+text, func() string {
		return see[seen](x, call("reads", reading{text, in(where)})).absent()
	})
}

// SeesDialog waits for the dialog of that title on top of everything.
func (x *T) SeesDialog(title string) {
	x.tb.Helper()
	x.until("seeing the dialog "+title, func() string {
		if top := see[string](x, "eyes.dialog()"); top != title {
			return fmt.Sprintf("on top is %q", top)
		}
		return ""
	})
}

// SeesNoDialog waits until no dialog is open.
func (x *T) SeesNoDialog() {
	x.tb.Helper()
	x.SeesDialog("")
}

// SeesButton waits for a button or the like of that name.
func (x *T) SeesButton(name string, where ...Where) {
	x.tb.Helper()
	x.until("seeing the button "+name, func() string { return x.button(name, where).Missing })
}

// SeesNoButton waits until no button has that name, in a part of the page that is there.
func (x *T) SeesNoButton(name string, where ...Where) {
	x.tb.Helper()
	x.until("seeing no button "+name, func() string {
		return x.button(name, where).absent()
	})
}

func (x *T) button(name string, where []Where) seen {
	x.tb.Helper()
	return see[seen](x, call("has", asked{Roles: pressable, Name: name, Where: in(where)}))
}

// absent says why a thing is not known to be absent; "" when it is.
func (s seen) absent() string {
	switch {
	case s.Nowhere:
		return s.Missing
	case s.Yes || s.Missing == "":
		return "it is there"
	}
	return ""
}

// SeesValue waits until the field of that label holds it.
func (x *T) SeesValue(label, value string, where ...Where) {
	x.tb.Helper()
	x.until("seeing what is in "+label, func() string {
		got := see[seen](x, call("value", asked{Name: label, Where: in(where)}))
		if got.Missing == "" && got.Value != value {
			return fmt.Sprintf("it holds %q and not %q", got.Value, value)
		}
		return got.Missing
	})
}

// SeesError waits until the field of that label says that something is wrong.
func (x *T) SeesError(label, text string) {
	x.tb.Helper()
	x.until("seeing what is wrong with "+label, func() string {
		got := see[seen](x, call("wrong", asked{Name: label}))
		if got.Missing == "" && !strings.Contains(got.Value, text) {
			return fmt.Sprintf("it says %q and not %q", got.Value, text)
		}
		return got.Missing
	})
}

// SeesPictures waits until that many pictures are there, all loaded, and no more.
func (x *T) SeesPictures(n int, where ...Where) {
	x.tb.Helper()
	x.until(fmt.Sprintf("seeing %d pictures", n), func() string {
		all := see[[]struct {
			Alt   string
			Width int
		}](x, call("pictures", in(where)))
		for _, one := range all {
			if one.Width == 0 {
				return fmt.Sprintf("%q has not loaded", one.Alt)
			}
		}
		if len(all) != n {
			return fmt.Sprintf("there are %d: %v", len(all), all)
		}
		return ""
	})
}

// SeesFocus waits until the keyboard is at the thing of that name.
func (x *T) SeesFocus(name string) {
	x.tb.Helper()
	x.until("the keyboard at "+name, func() string {
		if at := x.Focus(); at.Name != name {
			return fmt.Sprintf("it is at %s %q", at.Role, at.Name)
		}
		return ""
	})
}

// SeesFocusOn waits until the keyboard is at an item of a list that says the words.
func (x *T) SeesFocusOn(says string) {
	x.tb.Helper()
	x.until("the keyboard at the item "+says, func() string {
		if at := x.Focus(); !at.on(says) {
			return fmt.Sprintf("it is at %s %q", at.Role, at.Name)
		}
		return ""
	})
}

// on tells whether it is an item that says the words.
func (f focus) on(says string) bool { return f.Role == "listitem" && strings.Contains(f.Text, says) }

// focus is what has the keyboard, and whether one can see that.
type focus struct {
	Role, Name, Text string
	Visible          bool
}

// Focus is what has the keyboard.
func (x *T) Focus() focus {
	x.tb.Helper()
	return see[focus](x, "eyes.focused()")
}

// SeesUncovered waits until nothing lies over a part of the page, not even a dialog.
func (x *T) SeesUncovered(part string) {
	x.tb.Helper()
	x.until("seeing "+part+" uncovered", func() string { return see[string](x, call("covered", part)) })
}

// Overflow is what sticks out of the window's sides or scrolls sideways.
func (x *T) Overflow() []string {
	x.tb.Helper()
	return see[[]string](x, "eyes.overflow()")
}

// Texts are the pieces of text that can be seen or scrolled to, by the part of the page.
func (x *T) Texts() map[string][]string {
	x.tb.Helper()
	return see[map[string][]string](x, "eyes.texts()")
}

// SeesField waits for a field of that label.
func (x *T) SeesField(label string, where ...Where) {
	x.tb.Helper()
	x.until("seeing the field "+label, func() string {
		return see[seen](x, call("has", asked{Roles: writable, Name: label, Where: in(where)})).Missing
	})
}
