package bot

import (
	"unicode/utf16"
	"unicode/utf8"
)

// The grammar of JSON, as far as a [reader] needs it: RFC 8259, and as forgiving as encoding/json
// is with bytes that are no UTF-8. Each function takes the place where something begins in a document
// and returns the place behind it; broken = there is no such thing.
const broken = -1

// passSpace is the first place that is no space; it may be the end of the document.
func passSpace(doc []byte, at int) int {
	for at < len(doc) && doc[at] <= ' ' && (doc[at] == ' ' || doc[at] == '\n' || doc[at] == '\t' || doc[at] == '\r') {
		at++
	}
	return at
}

// passByte passes over a byte, and the space behind it.
func passByte(doc []byte, at int, c byte) int {
	if at < 0 || at >= len(doc) || doc[at] != c {
		return broken
	}
	return passSpace(doc, at+1)
}

// passValue passes over a value that has no more levels of objects and lists than that.
func passValue(doc []byte, at, levels int) int {
	if at < 0 || at >= len(doc) {
		return broken
	}
	switch doc[at] {
	case '"':
		at, _ = passString(doc, at)
		return at
	case '{':
		return passParts(doc, at, levels, '}')
	case '[':
		return passParts(doc, at, levels, ']')
	case 't':
		return passWord(doc, at, "true")
	case 'f':
		return passWord(doc, at, "false")
	case 'n':
		return passWord(doc, at, "null")
	}
	return passNumber(doc, at)
}

// passParts passes over an object or a list.
func passParts(doc []byte, at, levels int, end byte) int {
	if levels == 0 {
		return broken
	}
	at = passSpace(doc, at+1)
	if at < len(doc) && doc[at] == end {
		return at + 1
	}
	for at >= 0 && at < len(doc) {
		if end == '}' {
			at = passName(doc, at)
		}
		if at = passValue(doc, at, levels-1); at < 0 {
			return broken
		}
		at = passSpace(doc, at)
		if at < len(doc) && doc[at] == end {
			return at + 1
		}
		at = passByte(doc, at, ',')
	}
	return broken
}

// passName passes over a name and its colon.
func passName(doc []byte, at int) int {
	if doc[at] != '"' {
		return broken
	}
	if at, _ = passString(doc, at); at < 0 {
		return broken
	}
	return passByte(doc, passSpace(doc, at), ':')
}

func passWord(doc []byte, at int, word string) int {
	if end := at + len(word); end <= len(doc) && string(doc[at:end]) == word {
		return end
	}
	return broken
}

func passNumber(doc []byte, at int) int {
	if doc[at] == '-' {
		at++
	}
	if at < len(doc) && doc[at] == '0' {
		at++
	} else {
		at = passDigits(doc, at)
	}
	if at >= 0 && at < len(doc) && doc[at] == '.' {
		at = passDigits(doc, at+1)
	}
	if at >= 0 && at < len(doc) && (doc[at] == 'e' || doc[at] == 'E') {
		if at++; at < len(doc) && (doc[at] == '+' || doc[at] == '-') {
			at++
		}
		at = passDigits(doc, at)
	}
	return at
}

// passDigits passes over one or more.
func passDigits(doc []byte, at int) int {
	from := at
	for at < len(doc) && '0' <= doc[at] && doc[at] <= '9' {
		at++
	}
	if at == from {
		return broken
	}
	return at
}

// plainByte are the bytes that stand for themselves in a string.
var plainByte = func() (table [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// passString passes over a string: plain when everything in it stands for itself.
func passString(doc []byte, from int) (end int, plain bool) {
	plain = true
	for at := from + 1; at < len(doc); at++ {
		c := doc[at]
		if plainByte[c] {
			continue
		}
		switch {
		case c == '"':
			return at + 1, plain
		case c < ' ':
			return broken, false
		case c == '\\':
			n := escape(doc[at:])
			if n == 0 {
				return broken, false
			}
			at += n - 1
		}
		plain = false
	}
	return broken, false
}

// escape is how long the escape is that b begins with, 0 = it is none.
func escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := unit(b); ok {
			return 6
		}
	}
	return 0
}

// unit is the UTF-16 unit of \u and four digits.
func unit(b []byte) (u rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		digit := hexDigit[c]
		if digit > 0xf {
			return 0, false
		}
		u = u<<4 | rune(digit)
	}
	return u, true
}

// unquote is what stands for itself of a string whose escapes are whole; what is no text is
// replaced.
func unquote(raw []byte) []byte {
	text := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		switch c := raw[0]; {
		case plainByte[c]:
			text, raw = append(text, c), raw[1:]
		case c == '\\' && raw[1] == 'u':
			char, n := escaped(raw)
			text, raw = utf8.AppendRune(text, char), raw[n:]
		case c == '\\':
			text, raw = append(text, standsFor[raw[1]]), raw[2:]
		default:
			char, n := utf8.DecodeRune(raw)
			text, raw = utf8.AppendRune(text, char), raw[n:]
		}
	}
	return text
}

var standsFor = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped is the character of one escape, or of two that are halves of it, and how long they are.
func escaped(raw []byte) (char rune, n int) {
	char, _ = unit(raw)
	if !utf16.IsSurrogate(char) {
		return char, 6
	}
	other, _ := unit(raw[6:])
	if char = utf16.DecodeRune(char, other); char == utf8.RuneError {
		return char, 6
	}
	return char, 12
}
