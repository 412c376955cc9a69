package workspace

import (
	"fmt"
	"slices"
	"strings"
)

// surface is where blocks are shown; not every block may be everywhere.
type surface string

const (
	inMessage surface = "message"
	inModal   surface = "modal"
	inHome    surface = "home"
)

// Slack: docs.slack.dev/reference/block-kit (limits in characters).
const (
	maxMessageBlocks = 50
	maxViewBlocks    = 100
	maxViewBytes     = 250_000
	maxText          = 3000
	maxFieldText     = 2000
	maxFields        = 10
	maxHeader        = 150
	maxActions       = 25
	maxContext       = 10
	maxID            = 255
	maxPrivate       = 3000
	maxModalTitle    = 24
	maxButtonText    = 75
	maxButtonValue   = 2000
	maxURL           = 3000
	maxOptions       = 100
	maxFewOptions    = 10 // checkboxes, radio buttons
	maxOverflow      = 5
	maxOptionText    = 75
	maxOptionValue   = 150
	maxPlaceholder   = 150
	maxLabel         = 2000
	maxAlt           = 2000
	maxBlocksText    = 13_200 // of one message, all texts together
	maxAlert         = 200
	maxTitle         = 150 // title and subtitle of a card, label of a layout
	maxCardText      = 200 // body and subtext
	maxCardActions   = 3
	maxRows          = 5 // of a layout
	maxItems         = 3 // of a layout's row
)

// checker collects everything Slack would say about blocks.
type checker struct {
	surface  surface
	problems []string
	blockIDs map[string]bool
	images   []image // to be fetched
	files    []image // kept here
	inputs   int
	focused  int
	text     int      // characters of all texts
	unknown  []string // block types that this Slack does not know
	novel    int      // problems that are only such a type
}

// image is a picture that blocks name and the JSON pointer of its name.
type image struct{ at, name string }

func (w *Workspace) newChecker(where surface) *checker {
	w.mu.Lock()
	defer w.mu.Unlock()
	return &checker{surface: where, blockIDs: map[string]bool{}, unknown: w.trouble.unknownBlocks}
}

func (c *checker) fail(at, format string, values ...any) {
	c.problems = append(c.problems, fmt.Sprintf("[ERROR] %s [json-pointer:%s]", fmt.Sprintf(format, values...), at))
}

// blocks checks a whole list. Nested blocks count as the others do: as a client draws them
// that knows layouts, and as one does that shows what they fall back to.
// Slack: docs.slack.dev/reference/block-kit/blocks/layout-block.
func (c *checker) blocks(at string, list []object) {
	most := maxViewBlocks
	if c.surface == inMessage {
		most = maxMessageBlocks
	}
	older := 0 // what a client shows that knows no layouts
	for _, b := range list {
		if str(b, "type") == "layout" {
			older += max(1, len(objects(b["fallback"])))
		} else {
			older++
		}
	}
	if max(len(Every(list)), older) > most {
		c.fail(at, "no more than %d items allowed", most)
		return
	}
	for i, b := range list {
		c.block(fmt.Sprintf("%s/%d", at, i), b)
	}
}

// size checks a string member's length; need says that it must be there.
func (c *checker) size(at string, o object, key string, most int, need bool) {
	value, present := o[key]
	at += "/" + key
	switch s, isText := value.(string); {
	case !present && need:
		c.fail(at, "missing required field: %s", key)
	case present && !isText:
		c.fail(at, "must be a string")
	case isText && s == "" && need:
		c.fail(at, "must be more than 0 characters")
	case length(s) > most:
		c.fail(at, "must be less than %d characters", most+1)
	}
}

// count checks a list's length.
func (c *checker) count(at string, n, least, most int) {
	switch {
	case n < least:
		c.fail(at, "no fewer than %d items required", least)
	case n > most:
		c.fail(at, "no more than %d items allowed", most)
	}
}

// oneOf checks a string member that is one of a few words when it is there.
func (c *checker) oneOf(at string, o object, key string, words ...string) {
	if _, present := o[key]; present && !slices.Contains(words, str(o, key)) {
		c.fail(at+"/"+key, "must be one of: %s", strings.Join(words, ", "))
	}
}

// textObject checks a text object; plain says that it must be plain_text.
func (c *checker) textObject(at string, o object, key string, most int, plain, need bool) {
	value, present := o[key]
	at += "/" + key
	if !present {
		if need {
			c.fail(at, "missing required field: %s", key)
		}
		return
	}
	text, isObject := value.(object)
	if !isObject {
		c.fail(at, "must be an object")
		return
	}
	c.textOf(at, text, most, plain)
}

func (c *checker) textOf(at string, text object, most int, plain bool) {
	kind := str(text, "type")
	if kind != "plain_text" && (plain || kind != "mrkdwn") {
		c.fail(at+"/type", "unsupported type: %s", kind)
	}
	c.text += length(str(text, "text"))
	c.size(at, text, "text", most, true)
}

// option checks one option of a select, overflow, checkboxes or radio.
func (c *checker) option(at string, o object, plain bool) {
	if o == nil {
		c.fail(at, "must be an object")
		return
	}
	c.textObject(at, o, "text", maxOptionText, plain, true)
	c.size(at, o, "value", maxOptionValue, true)
	c.textObject(at, o, "description", maxOptionText, plain, false)
}

func (c *checker) options(at string, list []object, most int, plain bool) {
	c.count(at, len(list), 1, most)
	for i, o := range list {
		c.option(fmt.Sprintf("%s/%d", at, i), o, plain)
	}
}

// confirm checks a confirmation dialog.
func (c *checker) confirm(at string, o object) {
	dialog, present := o["confirm"].(object)
	if !present {
		return
	}
	at += "/confirm"
	c.textObject(at, dialog, "title", 100, true, true)
	c.textObject(at, dialog, "text", 300, false, true)
	c.textObject(at, dialog, "confirm", 30, true, true)
	c.textObject(at, dialog, "deny", 30, true, true)
	c.style(at, dialog)
}

func (c *checker) style(at string, o object) { c.oneOf(at, o, "style", "primary", "danger") }
