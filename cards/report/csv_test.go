package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"darkroom/cards/cardstest"
	"darkroom/order"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEveryOrderIsARowWhateverItIsCalled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := reported(rapid.IntRange(0, 20).Draw(t, "orders"))
		for i := range rows {
			rows[i].Name, rows[i].Customer = cardstest.Cells.Draw(t, "name"), cardstest.Cells.Draw(t, "customer")
		}
		money := rapid.Bool().Draw(t, "money")
		lines := cardstest.ReadCSV(t, CSV(rows, time.UTC, nil, money, cardstest.Now))
		require.Len(t, lines, len(rows)+1)
		require.Equal(t, "Order ID", lines[0][0])
		require.Equal(t, money, lines[0][len(lines[0])-1] == "Credits", "credits for whom?")
		for _, line := range lines {
			for _, cell := range line {
				cardstest.RequireNoFormula(t, cell)
			}
		}
	})
}

func TestNoNameInAReportIsAFormula(t *testing.T) {
	row := reported(1)[0]
	row.Preset = "=2+2"
	row.Name, row.Customer, row.Person, row.Reference, row.Channel = "＝1+1", "+1", "U1", "@SUM(A1)", "C1"
	lines := cardstest.ReadCSV(t, CSV([]order.ReportRow{row}, time.UTC, map[string]string{"U1": "Mia;-1", "C1": "\t=1"}, true, cardstest.Now))
	require.Equal(t, "'=2+2", lines[1][columnOf(t, lines[0], "Preset")])
	require.Equal(t, []string{"1000", "'@SUM(A1)", "'＝1+1", "\t'=1", "Mia;'-1", "'+1"}, lines[1][:6])
}

// Times are the reader's. What has no name has its id, a status of the service's own stays, and no price is no 0.
func TestTheFileSaysWhatIsKnown(t *testing.T) {
	row := reported(1)[0]
	row.Status, row.Price, row.Person, row.Channel = "archiving", decimal.NullDecimal{}, "U1", "C1"
	row.Placed = time.Date(2026, 11, 3, 23, 30, 0, 0, time.UTC)
	row.Milestones = order.Milestones{Ready: row.Placed.Add(90 * time.Minute)}
	lines := cardstest.ReadCSV(t, CSV([]order.ReportRow{row}, time.FixedZone("Kathmandu", (5*60+45)*60), map[string]string{"U1": "Mia"}, true, cardstest.Now))
	for name, want := range map[string]string{
		"Placed (Kathmandu)": "2026-11-04 05:15:00", "First delivery (Kathmandu)": "2026-11-04 06:45:00", "Estimated (Kathmandu)": "", "Approved or canceled (Kathmandu)": "",
		"Hours to first delivery": "1.50", "Hours to approval": "", "Requested by": "Mia", "Channel": "C1", "Status": "archiving", "Credits": "", "Estimate": "",
	} {
		require.Equal(t, want, lines[1][columnOf(t, lines[0], name)], name)
	}
}

// An order that was not inspected has empty columns, not zeros.
func TestWhatWasNotInspectedHasNoFindingsInTheFile(t *testing.T) {
	rows := reported(3)
	rows[0].Inspected, rows[1].Inspected = order.Inspected{Photos: 40, Faulty: 3}, order.Inspected{Photos: 2}
	lines := cardstest.ReadCSV(t, CSV(rows, time.UTC, nil, true, cardstest.Now))
	photos, faulty := columnOf(t, lines[0], "Photos inspected"), columnOf(t, lines[0], "Photos with findings")
	for i, want := range [][]string{{"40", "3"}, {"2", "0"}, {"", ""}} {
		require.Equal(t, want, []string{lines[i+1][photos], lines[i+1][faulty]})
	}
}

// columnOf returns the place of a column.
func columnOf(t *testing.T, header []string, name string) int {
	t.Helper()
	at := slices.Index(header, name)
	require.NotEqual(t, -1, at, name)
	return at
}

// A spreadsheet counts the file's rows by preset as the report does.
func TestTheFileHasWhatTheReportCounts(t *testing.T) {
	rows := reviewed(200)
	lines := cardstest.ReadCSV(t, CSV(rows, time.UTC, nil, true, cardstest.Now))
	cell := func(line []string, name string) string { return line[columnOf(t, lines[0], name)] }
	orders, first, decided := map[string]int{}, map[string]int{}, map[string]int{}
	for _, line := range lines[1:] {
		preset := cell(line, "Preset")
		orders[preset]++
		if cell(line, "Status") == "Approved" && cell(line, "Round in review or approved") == "1" {
			first[preset]++
		}
		if cell(line, "Hours from first delivery to decision") != "" {
			decided[preset]++
		}
	}
	for i := range rows {
		rows[i].Channel = "C0PHOTOS"
	}
	for _, g := range viewOf(rows, order.ByPreset).Groups {
		name := strings.TrimSpace(g.Name)
		require.Equal(t, []int{orders[name], first[name], decided[name]}, []int{g.Orders, g.First, g.Decided.Count}, name)
		require.Positive(t, g.First)
	}
	require.Equal(t, []string{"", ""}, []string{cell(lines[7], "Rounds of changes"), cell(lines[7], "Round in review or approved")}, "nobody knows")
}
