package kit

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Code is text for between two backticks.
func Code(s string) string {
	return strings.ReplaceAll(Inline(strings.ReplaceAll(s, "`", "'"), 200), zeroWidth, "")
}

// Characters that people do not type.
const (
	ellipsis  = "…"
	zeroWidth = "\u200b" // parts what would be an emoji, a quotation or a mention
	Isolate   = "\u2068" // right-to-left words must not reorder ours
	Pop       = "\u2069"
)

// Escape makes words that somebody typed safe inside a message: they read as
// typed, and can neither mention, link, format, quote nor become an emoji.
func Escape(s string) string { return EscapeTo(s, -1) }

// EscapeTo is Escape cut to limit characters (none when negative), ellipsis
// included, never inside an entity.
func EscapeTo(s string, limit int) string {
	return pieces(apart(s), limit, func(prev, r, next rune) string {
		switch r {
		case '&':
			return "&amp;"
		case '<':
			return "&lt;"
		case '>':
			if prev == 0 || prev == '\n' {
				return zeroWidth + "&gt;" // a line that begins with it is a quotation
			}
			return "&gt;"
		case '*', '_', '~', '`':
			if isWordRune(prev) && isWordRune(next) {
				return string(r)
			}
			return onlySaid(r)
		}
		return string(r)
	})
}

// onlySaid is a sign that would format, as what a date says that Slack cannot read: that is text and
// nothing else. There is no other way to write it; a zero-width space beside it counts as the edge of a
// word, which lets it format (github.com/yhatt/jsx-slack, docs/about-escape-and-exact-mode.md).
func onlySaid(r rune) string { return unreadDate + string(r) + ">" }

const unreadDate = "<!date^00000000^{_}|"

// lookAlikes stand for those signs where there is no room for such dates; inLabel where Slack takes
// none, in the label of a link.
var (
	lookAlikes = strings.NewReplacer("*", "∗", "_", "ˍ", "~", "∼", "`", "ˋ")
	inLabel    = strings.NewReplacer(onlySaid('*'), "∗", onlySaid('_'), "ˍ", onlySaid('~'), "∼", onlySaid('`'), "ˋ")
)

// copied turns what stands for other signs on the screen back into them.
var copied = strings.NewReplacer(zeroWidth, "", "∗", "*", "ˍ", "_", "∼", "~", "ˋ", "`")

// Copied is how words were written that somebody copied from what was shown: where [Escape] had to part or
// replace a sign they read otherwise.
func Copied(s string) string { return copied.Replace(s) }

// Plain is the twin of escape for plain_text, where Slack reads no markup. A
// zero-width space still parts what would be a mention elsewhere.
func Plain(s string, limit int) string {
	return pieces(apart(s), limit, func(_, r, next rune) string {
		if r == '<' && strings.ContainsRune("!@#", next) {
			return "<" + zeroWidth
		}
		return string(r)
	})
}

// emojiName is what Slack draws as an emoji, in plain_text too, when it knows the name.
var emojiName = regexp.MustCompile(`^:[\p{L}\p{N}_+'-]+:`)

// apart parts the colon of what looks like an emoji's name from the name: ":smile:" is read as typed.
func apart(s string) string {
	if strings.Count(s, ":") < 2 {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if !visible(r) {
			return -1
		}
		return r
	}, s)
	var out strings.Builder
	for i, r := range s {
		out.WriteRune(r)
		if r == ':' && emojiName.MatchString(s[i:]) {
			out.WriteString(zeroWidth)
		}
	}
	return out.String()
}

// Clip cuts words that stay as they are: what a person typed, in its own input.
func Clip(s string, limit int) string {
	return pieces(s, limit, func(_, r, _ rune) string { return string(r) })
}

// pieces writes s piece by piece and stops where the ellipsis still fits.
func pieces(s string, limit int, piece func(prev, r, next rune) string) string {
	var out strings.Builder
	fits, size := 0, 0 // where to cut, and characters so far
	var prev rune
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if !visible(r) {
			continue
		}
		p := piece(prev, r, next)
		prev = r
		if limit >= 0 && size+Units(p) > limit {
			return out.String()[:fits] + ellipsis
		}
		out.WriteString(p)
		if size += Units(p); size < limit {
			fits = out.Len()
		}
	}
	return out.String()
}

// visible drops control characters and those that would turn our own words round.
func visible(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return false
	}
	return !unicode.IsControl(r)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Units counts as JavaScript does.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// Inline is escaped text for the middle of a line of ours.
func Inline(s string, limit int) string {
	s = OneLine(s)
	if strings.ContainsFunc(s, RightToLeft) {
		return Isolate + EscapeTo(s, limit) + Pop
	}
	return EscapeTo(s, limit)
}

// OneLine joins lines and runs of space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// firstRightToLeft begins the first of the blocks that are written so; what most text is made of comes before it.
const firstRightToLeft = 0x0590

// RightToLeft reports whether a character is of a script that runs so.
func RightToLeft(r rune) bool {
	return r >= firstRightToLeft && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// Cut shortens text of ours, already safe, to limit bytes: never inside a
// character, an entity or a link.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	end := limit - len(ellipsis)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	head := s[:end]
	if i := strings.LastIndexByte(head, '<'); i > strings.LastIndexByte(head, '>') {
		head = head[:i]
	}
	if i := strings.LastIndexByte(head, '&'); i > strings.LastIndexByte(head, ';') {
		head = head[:i]
	}
	return head + ellipsis
}
