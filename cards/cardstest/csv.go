package cardstest

import (
	"bytes"
	"encoding/csv"
	"strings"
	"unicode"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// ReadCSV parses a file as RFC 4180.
func ReadCSV(t require.TestingT, raw []byte) [][]string {
	text, marked := bytes.CutPrefix(raw, []byte("\ufeff"))
	require.True(t, marked, "Excel takes a file without a byte order mark for one of its own country")
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	return lines
}

// Cells generates text that is likely to confuse spreadsheets.
var Cells = rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("=+-@＝＋－＠;,\t\r\n\"' \u00a0\u200b\ufeffaÄ|")), rapid.Rune()))

// WithoutMarks removes apostrophes, and carriage returns as the writer does.
func WithoutMarks(cell string) string { return strings.NewReplacer("'", "", "\r", "").Replace(cell) }

// RequireNoFormula fails if a spreadsheet would compute a cell.
func RequireNoFormula(t require.TestingT, cell string) {
	first := strings.TrimLeftFunc(cell, func(r rune) bool {
		return r == '"' || unicode.IsSpace(r) || unicode.Is(unicode.C, r) || unicode.Is(unicode.Z, r)
	})
	require.False(t, first != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(first)[0]), "%q", cell)
}
