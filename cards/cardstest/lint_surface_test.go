package cardstest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// surface is one message or view of a golden file.
type surface struct {
	kind  string // "message", "modal" or "home"
	whole map[string]any
	texts []part
	// pressed are the buttons and menus, inputs the input blocks.
	pressed, inputs []map[string]any
}

// part is one text that people read.
type part struct {
	role string // the key or element that it stands in
	text string // without what people typed
	raw  string
	said []string // the sentences of text
}

// inKey names the roles of texts by their key. All other texts are sentences.
var inKey = map[string]string{
	"title": "title", "submit": "submit", "close": "close", "label": "label", "hint": "hint", "placeholder": "placeholder", "description": "description",
	"deny": "button",
}

// surfaceOf reads a golden file.
func surfaceOf(whole map[string]any) *surface {
	s := &surface{kind: "message", whole: whole}
	if kind, ok := whole["type"].(string); ok {
		s.kind = kind
	}
	if text, ok := whole["text"].(string); ok {
		s.say("fallback", text, true)
	}
	for _, key := range []string{"title", "submit", "close", "blocks"} {
		s.read(key, "view", whole[key])
	}
	return s
}

func (s *surface) say(role, raw string, markup bool) {
	text := ours(raw, markup)
	s.texts = append(s.texts, part{role, text, raw, sentences(text)})
}

// read collects the texts and elements of a value. parent is the type of the block or element around it.
func (s *surface) read(key, parent string, value any) {
	switch v := value.(type) {
	case []any:
		for _, each := range v {
			s.read(key, parent, each)
		}
	case map[string]any:
		kind, _ := v["type"].(string)
		switch kind {
		case "plain_text", "mrkdwn":
			s.say(role(key, parent), v["text"].(string), kind == "mrkdwn")
			return
		case "button", "overflow":
			s.pressed = append(s.pressed, v)
		case "input":
			s.inputs = append(s.inputs, v)
		case "image":
			s.say("alt", v["alt_text"].(string), false)
		}
		for name, child := range v {
			s.read(name, parentOf(name, kind, parent), child)
		}
	}
}

// parentOf returns what a child stands in: options and dialogs have no type of their own.
func parentOf(name, kind, parent string) string {
	switch name {
	case "options", "option_groups", "initial_option", "initial_options":
		return "option"
	case "confirm":
		return "confirm"
	}
	if kind == "" {
		return parent
	}
	return kind
}

func role(key, parent string) string {
	switch {
	case parent == "confirm" && key == "confirm":
		return "button"
	case key == "title" && parent != "view":
		return "caption"
	case inKey[key] != "":
		return inKey[key]
	case parent == "button", parent == "header", parent == "option":
		return parent
	}
	return "text"
}

// goldenFiles returns the surfaces of every golden file under a folder, by path.
func goldenFiles(t *testing.T, root string) map[string]*surface {
	t.Helper()
	found := map[string]*surface{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" || !strings.Contains(path, "testdata") {
			return err
		}
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		var whole map[string]any
		if json.Unmarshal(raw, &whole) == nil && whole["blocks"] != nil {
			found[path] = surfaceOf(whole)
		}
		return nil
	}))
	return found
}

// typed stands for what a person typed, a name, a date or a link's address.
const typed = "§"

var (
	literalSign = regexp.MustCompile(`<!date\^0+\^\{_\}\|(.)>`)
	quotedLine  = regexp.MustCompile(`(?m)^> ?.*$`)
	codeSpan    = regexp.MustCompile("```[^`]*```|`[^`]*`")
	linkToken   = regexp.MustCompile(`<https?://[^<>|]+\|([^<>]+)>`)
	otherToken  = regexp.MustCompile(`<[@#!][^<>]*>|<https?://[^<>]+>`)
	// theirs are the names of the scenes, also when they are cut, and names of files and orders.
	theirs = regexp.MustCompile(`Smith wedding( \d+)?|<!channel>( \*(&\*?( _(so?_?( :\w*:?)?)?)?)?)?( \d+)?|(Weddings & more ?)+(Weddings?( &)?( m\w*)?)?( \d+)?|(Summer catalogue, beach ?)+(S\w*( c\w*,?)?( b\w*)?)?( \d+)?|` +
		`חתונה של סמית 🎉 عرس( \d+)?|https?://\S+|[\w-]+\.(jpe?g|png|csv|gif|tiff?|heic|zip|txt|com|example)\b|\b[A-Z][a-z]+ (wedding|catalogue)\b`)
	cutName   = regexp.MustCompile(typed + `(\.\w+| ?\w*…)+`)
	unescaped = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
	invisible = strings.NewReplacer("\u200b", "", "\u2068", "", "\u2069", "", "∗", "*", "ˍ", "_", "∼", "~", "ˋ", "`")
)

// ours returns the app's own words, with a sign in place of each name, link and text that a person typed.
func ours(s string, markup bool) string {
	if markup {
		s = literalSign.ReplaceAllString(s, "$1")
		s = quotedLine.ReplaceAllString(s, "")
		s = codeSpan.ReplaceAllString(s, typed)
		s = linkToken.ReplaceAllString(s, "$1")
		s = otherToken.ReplaceAllString(s, typed)
		s = unescaped.Replace(s)
	}
	return cutName.ReplaceAllString(theirs.ReplaceAllString(invisible.Replace(s), typed), typed)
}
