package kit

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Code makes text safe between two backticks.
func Code(s string) string {
	return strings.ReplaceAll(Inline(strings.ReplaceAll(s, "`", "'"), 200), zeroWidth, "")
}

// Characters that people do not type.
const (
	ellipsis  = "…"
	zeroWidth = "\u200b" // prevents an emoji, a quotation or a mention
	Isolate   = "\u2068" // keeps right-to-left text from reordering ours
	Pop       = "\u2069"
)

// Escape makes typed text safe inside a message. It reads as typed and cannot mention, link, format, quote or
// become an emoji.
func Escape(s string) string { return EscapeTo(s, -1) }

// EscapeTo is [Escape] cut to limit characters, ellipsis included. It never cuts inside an entity. A negative
// limit cuts nothing.
func EscapeTo(s string, limit int) string {
	return pieces(breakEmoji(s), limit, func(prev, r, next rune) string {
		switch r {
		case '&':
			return "&amp;"
		case '<':
			return "&lt;"
		case '>':
			if prev == 0 || prev == '\n' {
				return zeroWidth + "&gt;" // would begin a quotation
			}
			return "&gt;"
		case '*', '_', '~', '`':
			if isWordRune(prev) && isWordRune(next) {
				return oneRune(r)
			}
			return literal(r)
		}
		return oneRune(r)
	})
}

// literal writes a formatting sign as the fallback text of an invalid date, which Slack shows unformatted. A
// zero-width space would not do: Slack takes it for a word boundary and formats (github.com/yhatt/jsx-slack,
// docs/about-escape-and-exact-mode.md).
func literal(r rune) string { return invalidDate + string(r) + ">" }

const invalidDate = "<!date^00000000^{_}|"

// lookAlikes stand for those signs where there is no room for such dates; inLabel where Slack takes
// none, in the label of a link.
var (
	lookAlikes = strings.NewReplacer("*", "∗", "_", "ˍ", "~", "∼", "`", "ˋ") // lookAlikes replace formatting signs where [literal] is too long. inLabel replaces [literal] in link labels, where Slack takes no date.
	inLabel    = strings.NewReplacer(literal('*'), "∗", literal('_'), "ˍ", literal('~'), "∼", literal('`'), "ˋ")
)

// asTyped maps look-alikes back to the signs they replace.
var asTyped = strings.NewReplacer(zeroWidth, "", "∗", "*", "ˍ", "_", "∼", "~", "ˋ", "`")

// AsTyped restores text that somebody copied from a message that [Escape] wrote.
func AsTyped(s string) string { return asTyped.Replace(s) }

// Plain is [EscapeTo] for plain_text, where Slack reads no markup. A zero-width space still breaks mentions,
// in case the text is shown elsewhere.
func Plain(s string, limit int) string {
	return pieces(breakEmoji(s), limit, func(_, r, next rune) string {
		if r == '<' && strings.ContainsRune("!@#", next) {
			return "<" + zeroWidth
		}
		return oneRune(r)
	})
}

// emojiName matches an emoji name. Slack draws known names in plain_text too.
var emojiName = regexp.MustCompile(`^:[\p{L}\p{N}_+'-]+:`)

// breakEmoji puts a zero-width space after the first colon of ":smile:", so that it reads as typed.
func breakEmoji(s string) string {
	if strings.Count(s, ":") < 2 {
		return s
	}
	s = strings.Map(func(r rune) rune { return Either(visible(r), r, -1) }, s)
	var out strings.Builder
	for i, r := range s {
		out.WriteRune(r)
		if r == ':' && emojiName.MatchString(s[i:]) {
			out.WriteString(zeroWidth)
		}
	}
	return out.String()
}

// Clip cuts text without escaping it: a typed value in its own input.
func Clip(s string, limit int) string {
	return pieces(s, limit, func(_, r, _ rune) string { return oneRune(r) })
}

// ascii has every ASCII character, in order.
var ascii = func() string {
	all := make([]byte, utf8.RuneSelf)
	for i := range all {
		all[i] = byte(i)
	}
	return string(all)
}()

// oneRune returns a rune as text. It allocates nothing for ASCII.
func oneRune(r rune) string {
	if r >= 0 && r < utf8.RuneSelf {
		return ascii[r : r+1]
	}
	return string(r)
}

// pieces writes s rune by rune and cuts where the ellipsis still fits.
func pieces(s string, limit int, piece func(prev, r, next rune) string) string {
	var out strings.Builder
	fits, size := 0, 0 // where to cut, and the size so far in UTF-16 units
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

// visible reports whether a rune is kept. Control characters and bidirectional overrides are dropped.
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

// Units returns the length in UTF-16 units, as JavaScript counts.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// Inline escapes text for the middle of a line. It isolates right-to-left text.
func Inline(s string, limit int) string {
	s = OneLine(s)
	if strings.ContainsFunc(s, RightToLeft) {
		return Isolate + EscapeTo(s, limit) + Pop
	}
	return EscapeTo(s, limit)
}

// OneLine joins lines and collapses runs of space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// firstRightToLeft is the first rune of the right-to-left blocks. Most text lies below it.
const firstRightToLeft = 0x0590

// RightToLeft reports whether a rune belongs to a right-to-left script.
func RightToLeft(r rune) bool {
	return r >= firstRightToLeft && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// Cut shortens safe text to limit bytes. It never cuts inside a character, an entity or a link.
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
