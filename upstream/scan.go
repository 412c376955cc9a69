package upstream

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strconv"
)

// What a service sends is looked at where it stands: a list of a million elements costs nothing until one of them is
// decoded.

// part is a JSON value as it stands in an answer. It is not copied, and lives as long as the answer does.
type part []byte

func (p *part) UnmarshalJSON(b []byte) error {
	*p = b
	return nil
}

// mostNumbered is how many elements of a list are read whose positions are keys.
const mostNumbered = 10_000

// elements are the values of a list, however it was written. It is none when b is neither a list nor an object.
func elements(b []byte) (items iter.Seq[[]byte], list bool) {
	switch b = bytes.TrimSpace(b); {
	case bytes.HasPrefix(b, []byte("[")):
		return func(yield func([]byte) bool) {
			for _, value := range members(b) {
				if !yield(value) {
					return
				}
			}
		}, true
	case !bytes.HasPrefix(b, []byte("{")):
		return slices.Values([][]byte(nil)), false
	case named(b):
		return slices.Values([][]byte{b}), true
	}
	type numbered struct {
		n     int
		value []byte
	}
	var all []numbered
	for key, value := range members(b) {
		n, err := strconv.Atoi(string(bytes.Trim(key, `"`)))
		if err != nil {
			return slices.Values([][]byte{b}), true
		}
		if all = append(all, numbered{n, value}); len(all) == mostNumbered {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b numbered) int { return cmp.Compare(a.n, b.n) })
	return func(yield func([]byte) bool) {
		for _, each := range all {
			if !yield(each.value) {
				return
			}
		}
	}, true
}

// named says that the first key of an object begins with a letter, so that it is no number.
func named(object []byte) bool {
	key := bytes.TrimLeft(object[1:], " \t\r\n")
	return len(key) > 1 && key[0] == '"' && (key[1] >= 'a' && key[1] <= 'z' || key[1] >= 'A' && key[1] <= 'Z')
}

// members are the values of a JSON list, or the keys and the values of an object. b is one, and valid.
func members(b []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		for rest := after(b[1:], ','); rest[0] != ']' && rest[0] != '}'; rest = after(rest, ',') {
			var key []byte
			if b[0] == '{' {
				n := size(rest)
				key, rest = rest[:n], after(rest[n:], ':')
			}
			n := size(rest)
			if !yield(key, rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// after is what follows blanks and a sign.
func after(b []byte, sign byte) []byte {
	for b[0] == ' ' || b[0] == '\t' || b[0] == '\r' || b[0] == '\n' || b[0] == sign {
		b = b[1:]
	}
	return b
}

// size is the length of the value that b begins with. b is a part of valid JSON.
func size(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth <= 0 {
				return i + 1 + depth // a bracket that closes what the value is in is no part of it
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return len(b)
}
