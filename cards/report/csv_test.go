package report

import (
	"testing"
	"time"

	"darkroom/cards/cardstest"
	"darkroom/order"

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
	row.Name, row.Customer, row.Person, row.Reference, row.Channel = "＝1+1", "+1", "U1", "@SUM(A1)", "C1"
	lines := cardstest.ReadCSV(t, CSV([]order.ReportRow{row}, time.UTC, map[string]string{"U1": "Mia;-1", "C1": "\t=1"}, true, cardstest.Now))
	require.Equal(t, []string{"1000", "'@SUM(A1)", "'＝1+1", "\t'=1", "Mia;'-1", "'+1"}, lines[1][:6])
}
