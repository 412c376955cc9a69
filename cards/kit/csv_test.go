package kit_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNoCellOfTheFileIsAFormula(t *testing.T) {
	for name, row := range map[string]struct{ cell, want string }{
		"a formula":                   {`=HYPERLINK("http://evil","x")`, `'=HYPERLINK("http://evil","x")`},
		"a plus":                      {"+1", "'+1"},
		"a minus":                     {"-2+3, \"Mia\"\nÄ", "'-2+3, \"Mia\"\nÄ"},
		"an at":                       {"@SUM(A1)", "'@SUM(A1)"},
		"behind a tab":                {"\t=1", "\t'=1"},
		"behind a semicolon":          {"Smith;=1+1", "Smith;'=1+1"},
		"behind semicolon and blanks": {"Smith; \u00a0=1+1;-1", "Smith; \u00a0'=1+1;'-1"},
		"behind a quotation mark":     {`Smith;"=1+1"`, `Smith;"'=1+1"`},
		"behind a line":               {"Smith\n=1+1", "Smith\n'=1+1"},
		"behind empty lines":          {"\n\n=1+1", "\n\n'=1+1"},
		"written full-width":          {"＝1+1", "'＝1+1"},
		"full-width signs":            {"＋1;－1;＠A", "'＋1;'－1;'＠A"},
		"behind what nobody sees":     {"\u200b=1", "\u200b'=1"},
		"no formula":                  {"Müller - “Sommer”; 1+1=2, a@b.example", "Müller - “Sommer”; 1+1=2, a@b.example"},
		"an address":                  {"https://a.example/?x=1;y=-2", "https://a.example/?x=1;y=-2"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, row.want, cardstest.ReadCSV(t, kit.CsvFile([][]string{{"1", row.cell}}))[0][1])
		})
	}
}

// No part of a cell begins like a formula, wherever a spreadsheet splits it, and no text is lost.
func TestAFileIsReadAsItWasWrittenAndHasNoFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := rapid.SliceOfN(rapid.SliceOfN(cardstest.Cells, 2, 4), 1, 4).Draw(t, "table")
		for i := range table {
			table[i] = append([]string{"x"}, table[i]...) // the reader skips a line whose only cell is empty
		}
		raw := kit.CsvFile(table)
		reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
		reader.FieldsPerRecord = -1
		lines, err := reader.ReadAll()
		require.NoError(t, err)
		require.Len(t, lines, len(table))
		for i, line := range lines {
			for j, cell := range line {
				require.Equal(t, cardstest.WithoutMarks(table[i][j]), cardstest.WithoutMarks(cell))
			}
		}
		for _, separators := range []string{";", "\t", ";\t", ""} {
			for _, cell := range strings.FieldsFunc(string(raw), func(r rune) bool { return strings.ContainsRune("\r\n"+separators, r) }) {
				cardstest.RequireNoFormula(t, cell)
			}
		}
		for _, line := range lines {
			for _, cell := range line {
				cardstest.RequireNoFormula(t, cell)
			}
		}
	})
}
