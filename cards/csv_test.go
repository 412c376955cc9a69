package cards

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
	"darkroom/store"
)

// readCSV reads a file of ours as RFC 4180 has it.
func readCSV(t require.TestingT, raw []byte) [][]string {
	text, marked := bytes.CutPrefix(raw, []byte("\ufeff"))
	require.True(t, marked, "Excel takes a file without a byte order mark for one of its own country")
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	return lines
}

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
			require.Equal(t, row.want, readCSV(t, csvFile([][]string{{"1", row.cell}}))[0][1])
		})
	}
}

// cells are words of people who know what spreadsheets do.
var cells = rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("=+-@＝＋－＠;,\t\r\n\"' \u00a0\u200b\ufeffaÄ|")), rapid.Rune()))

// Whatever a spreadsheet takes for the end of a cell, none begins like a formula, and all words are there.
func TestAFileIsReadAsItWasWrittenAndHasNoFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := rapid.SliceOfN(rapid.SliceOfN(cells, 2, 4), 1, 4).Draw(t, "table")
		for i := range table {
			table[i] = append([]string{"x"}, table[i]...) // the reader skips a line whose only cell is empty
		}
		raw := csvFile(table)
		reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
		reader.FieldsPerRecord = -1
		lines, err := reader.ReadAll()
		require.NoError(t, err)
		require.Len(t, lines, len(table))
		for i, line := range lines {
			for j, cell := range line {
				require.Equal(t, withoutMarks(table[i][j]), withoutMarks(cell))
			}
		}
		for _, separators := range []string{";", "\t", ";\t", ""} {
			for _, cell := range strings.FieldsFunc(string(raw), func(r rune) bool { return strings.ContainsRune("\r\n"+separators, r) }) {
				requireNoFormula(t, cell)
			}
		}
		for _, line := range lines {
			for _, cell := range line {
				requireNoFormula(t, cell)
			}
		}
	})
}

// withoutMarks is a cell without apostrophes and, as the writer has it, without carriage returns.
func withoutMarks(cell string) string { return strings.NewReplacer("'", "", "\r", "").Replace(cell) }

func requireNoFormula(t require.TestingT, cell string) {
	first := strings.TrimLeftFunc(cell, func(r rune) bool {
		return r == '"' || unicode.IsSpace(r) || unicode.Is(unicode.C, r) || unicode.Is(unicode.Z, r)
	})
	require.False(t, first != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(first)[0]), "%q", cell)
}

func TestEveryOrderIsARowWhateverItIsCalled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := reported(rapid.IntRange(0, 20).Draw(t, "orders"))
		for i := range rows {
			rows[i].Name, rows[i].Customer = cells.Draw(t, "name"), cells.Draw(t, "customer")
		}
		money := rapid.Bool().Draw(t, "money")
		lines := readCSV(t, ReportCSV(rows, time.UTC, nil, money, now))
		require.Len(t, lines, len(rows)+1)
		require.Equal(t, "Order ID", lines[0][0])
		require.Equal(t, money, lines[0][len(lines[0])-1] == "Credits", "credits for whom?")
		for _, line := range lines {
			for _, cell := range line {
				requireNoFormula(t, cell)
			}
		}
	})
}

func TestNoNameInAReportIsAFormula(t *testing.T) {
	row := reported(1)[0]
	row.Name, row.Customer, row.Person, row.Reference, row.Channel = "＝1+1", "+1", "U1", "@SUM(A1)", "C1"
	lines := readCSV(t, ReportCSV([]order.ReportRow{row}, time.UTC, map[string]string{"U1": "Mia;-1", "C1": "\t=1"}, true, now))
	require.Equal(t, []string{"1000", "'@SUM(A1)", "'＝1+1", "\t'=1", "Mia;'-1", "'+1"}, lines[1][:6])
}

func TestTheResultOfABatchIsALineAnOrderAndNoFormula(t *testing.T) {
	b := batchOf(scene{"=1+1", 3}, 2)
	lines := readCSV(t, BatchCSV(standOf(b, store.DraftPlaced, store.DraftRefused, store.DraftUnknown)))
	require.Len(t, lines, 1+3+1)
	require.Equal(t, []string{"2", "'=1+1 1 1/3", "50", "placed", "order0", "K7Q2XM", "https://acme.slack.com/archives/C0PHOTOS/p0", ""}, lines[1])
	require.Equal(t, "not placed", lines[2][3])
	require.Contains(t, lines[2][7], "not accessible")
	require.Equal(t, []string{"not known", "20"}, []string{lines[3][3], lines[3][2]})
	require.Equal(t, "3", lines[4][2], "its reference is not edited")
}
