package cardstest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// rule is one thing that Slack's layouts or our words ask of a message or view. It returns what breaks it.
type rule struct {
	name  string
	finds func(s *surface) []string
}

// layoutRules are the rules for every message and view that people see.
var layoutRules = []rule{
	{"emphasis", emphasis},
	{"title case", each(miscased, "button", "submit", "close")},
	{"sentence case", each(uncased, "title", "header", "label", "option")},
	{"place words", sentenceWith(`(?i)\b(above|below|here|beneath|on the (right|left))\b`)},
	{"six inputs", sixInputs},
	{"24 characters", each(func(p part) bool { return len(utf16.Encode([]rune(p.raw))) > 24 }, "title", "submit")},
	{"optional", each(matches(`(?i)\(optional\)`))},
	{"emoji", each(matches(`:[a-z0-9_+-]+:|[\x{2190}-\x{2bff}\x{1f000}-\x{1faff}]`), "button", "submit", "close", "label", "header", "title", "option")},
	{"alt text", each(wordless, "alt")},
	{"fallback", pointless},
	{"confirm", unasked},
	{"25 words", sentenceThat(func(one string) bool { return len(strings.Fields(one)) > 25 })},
	{"words", sentenceWith(forbidden)},
}

// each applies a check to the texts of the roles, of all roles if none is given.
func each(breaks func(part) bool, roles ...string) func(*surface) []string {
	return func(s *surface) (found []string) {
		for _, p := range s.texts {
			if (len(roles) == 0 || slices.Contains(roles, p.role)) && breaks(p) {
				found = append(found, p.role+": "+p.text)
			}
		}
		return found
	}
}

// sentenceThat finds the sentences that break a rule, wherever they stand.
func sentenceThat(breaks func(sentence string) bool) func(*surface) []string {
	return func(s *surface) (found []string) {
		for _, p := range s.texts {
			for _, one := range p.said {
				if breaks(one) {
					found = append(found, one)
				}
			}
		}
		return found
	}
}

func sentenceWith(pattern string) func(*surface) []string {
	re := regexp.MustCompile(pattern)
	return sentenceThat(func(one string) bool { return re.MatchString(allowed.ReplaceAllString(one, "")) })
}

func matches(pattern string) func(part) bool {
	re := regexp.MustCompile(pattern)
	return func(p part) bool { return re.MatchString(p.text) }
}

// emphasis allows one green or red button, and none in a window, whose submit button is green.
func emphasis(s *surface) []string {
	var loud []string
	for _, b := range s.pressed {
		if b["style"] != nil {
			loud = append(loud, textOf(b["text"]))
		}
	}
	if len(loud) == 0 || len(loud) == 1 && s.kind != "modal" {
		return nil
	}
	slices.Sort(loud)
	return []string{fmt.Sprintf("%d emphasized: %s", len(loud), strings.Join(slices.Compact(loud), ", "))}
}

func textOf(v any) string {
	object, _ := v.(map[string]any)
	text, _ := object["text"].(string)
	return ours(text, false)
}

func sixInputs(s *surface) []string {
	if s.kind != "modal" || len(s.inputs) <= 6 {
		return nil
	}
	return []string{fmt.Sprintf("%s: %d inputs", textOf(s.whole["title"]), len(s.inputs))}
}

// small are the words that a title writes small, except at its ends.
var small = strings.Fields("a an and as at by for from in of on or per the to with")

// miscased reports whether a button is not in Title Case.
func miscased(p part) bool {
	words := strings.Fields(p.text)
	for i, w := range words {
		first := []rune(w)[0]
		inside := i > 0 && i < len(words)-1
		switch {
		case !unicode.IsLetter(first):
		case inside && slices.Contains(small, strings.ToLower(w)):
			if unicode.IsUpper(first) {
				return true
			}
		case unicode.IsLower(first):
			return true
		}
	}
	return false
}

// names are words that are written with a capital everywhere.
var names = strings.Fields("Slack Darkroom API URLs November Home I I'll I'm ID IDs CSV ZIP UTC Redis Basic Extensive Monday Good News Review Photo Maria Olga Ben Tom Peter Connect")

var phraseEnd = regexp.MustCompile(`[.:?!·–—(\n]\s*|\*|“[^”]*”|\d+ `)

// uncased reports whether a text that is no button is written like one, or begins small.
func uncased(p part) bool {
	for i, phrase := range phraseEnd.Split(p.text, -1) {
		for n, w := range strings.Fields(phrase) {
			letters := []rune(strings.Trim(w, `"'“”,;)&@`))
			if len(letters) == 0 || !unicode.IsLetter(letters[0]) {
				continue
			}
			code := len(letters) > 1 && strings.ToUpper(string(letters)) == string(letters)
			if n == 0 {
				if i == 0 && unicode.IsLower(letters[0]) {
					return true
				}
				continue
			}
			if unicode.IsUpper(letters[0]) && !code && !slices.Contains(names, string(letters)) {
				return true
			}
		}
	}
	return false
}

// wordless reports whether a picture's text is only a file's name, or no word about this picture.
func wordless(p part) bool {
	return noWord.ReplaceAllString(p.text, "") == ""
}

var noWord = regexp.MustCompile(`(?i)` + typed + `|\b(image|photo|picture|thumbnail|preview)s?\b|[\d\s·,.]+`)

// pointless finds a message whose notification says nothing.
func pointless(s *surface) []string {
	if s.kind != "message" {
		return nil
	}
	if said := clean(s.texts[0].text); s.texts[0].role != "fallback" || len(strings.Fields(strings.ReplaceAll(said, typed, ""))) < 1 {
		return []string{"fallback: " + said}
	}
	return nil
}

// destroys are the labels of what cannot be taken back.
var destroys = regexp.MustCompile(`^(Delete|Discard|Remove|Disconnect|Cancel|Forget|Drop|Clear)\b`)

// asksItself lists the actions that open a window, whose submit button asks.
var asksItself = []string{"order:cancel", "account:disconnect"}

// unasked finds buttons that destroy something at once.
func unasked(s *surface) (found []string) {
	for _, b := range s.pressed {
		labels, action := []string{textOf(b["text"])}, fmt.Sprint(b["action_id"])
		for _, o := range list(b["options"]) {
			labels = append(labels, textOf(o.(map[string]any)["text"]))
		}
		for _, label := range labels {
			if (b["style"] == "danger" || destroys.MatchString(label)) && b["confirm"] == nil && !slices.Contains(asksItself, action) {
				found = append(found, label+" ("+action+")")
			}
		}
	}
	return found
}

var (
	emojiCode   = regexp.MustCompile(`:[a-z0-9_+-]+:`)
	sentenceEnd = regexp.MustCompile(`[.!?…]["”’*_)]*\s+|\n+| · |[.!?…]["”’*_)]*$`)
)

// clean removes emoji and marks of format.
func clean(s string) string {
	return strings.TrimSpace(strings.NewReplacer("*", "", "_", "", "~", "", "•", "").Replace(emojiCode.ReplaceAllString(s, "")))
}

// sentences splits a text. A fact between dots is a sentence of its own.
func sentences(s string) (all []string) {
	for _, one := range sentenceEnd.Split(clean(s), -1) {
		if one = strings.Join(strings.Fields(one), " "); one != "" {
			all = append(all, one)
		}
	}
	return all
}

// forbidden are words that only we understand, or that have another word.
const forbidden = `(?i)\b(tak(e|en|es) (\w+ )?along|in turns?|verdicts?|set aside|etc/utc|mend(ed|s|ing)?|whoever|anew|as string|signature php|` +
	`(your|my|their|its|whose) words|words for|forg[eo]t\w*|our messages|messages with me|organis\w*|cancell\w*|web address(es)?|URLs?|colour|` +
	`looks? after (this app|me)|(runs|installed) me|who(ever)? (asked for it|ordered)|remember\w*|pictures?|images?|jobs?|the service('s)?|no longer follows?|is followed|` +
	`(the|my|your|app's|App|on) Home)\b|\bnews\b`

// allowed are words of other meaning, and names of things that keep theirs.
var allowed = regexp.MustCompile(`(?i)the service types?|Add (as )?reference( images)?|\bHome tab\b|News\*?:? (in the|by direct)|base URL|PUBLIC_URL|^News$|^By direct message to who ordered$|image ID not found: \w+|Mark on the Pictures`)
