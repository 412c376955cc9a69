package upstream

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strconv"
)

// The functions below find JSON values without decoding or copying them: a list of a million elements costs nothing
// until one is decoded.

// rawJSON is a JSON value inside an answer. It is not a copy, so it is valid only as long as the answer.
type rawJSON []byte

func (r *rawJSON) UnmarshalJSON(b []byte) error {
	*r = b
	return nil
}

// mostNumbered is the most elements read from a list with numeric keys.
const mostNumbered = 10_000

// elements returns the values of a list in any form that many accepts. list is false if b is neither an array nor an
// object.
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
	case hasNames(b):
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
	values := make([][]byte, len(all))
	for i, each := range all {
		values[i] = each.value
	}
	return slices.Values(values), true
}

// hasNames reports whether the first key of an object starts with a letter, so that it is not a number.
func hasNames(object []byte) bool {
	key := bytes.TrimLeft(object[1:], " \t\r\n")
	return len(key) > 1 && key[0] == '"' && (key[1] >= 'a' && key[1] <= 'z' || key[1] >= 'A' && key[1] <= 'Z')
}

// members returns the values of a JSON array with nil keys, or the keys and values of an object. b must be
// valid JSON.
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

// after skips blanks and the sign.
func after(b []byte, sign byte) []byte {
	for b[0] == ' ' || b[0] == '\t' || b[0] == '\r' || b[0] == '\n' || b[0] == sign {
		b = b[1:]
	}
	return b
}

// size returns the length of the first value in b, which is a part of valid JSON.
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
				return i + 1 + depth // -1: the bracket closes the surrounding value
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return len(b)
}
