package report

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"darkroom/cards/cardstest"
	"darkroom/order"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
)

func reported(n int) []order.ReportRow {
	rows := make([]order.ReportRow, n)
	for i := range rows {
		at := cardstest.Now.Add(-time.Duration(i) * 11 * time.Hour)
		rows[i] = order.ReportRow{
			ID: fmt.Sprint(1000 + i), Reference: fmt.Sprintf("K7Q2X%d", i%10), Name: "Smith <wedding> & *more*", Channel: fmt.Sprintf("C0PHOTOS%d", i%3),
			Person: fmt.Sprintf("U0MARIA%d", i%4), Customer: []string{"77", "", "<!channel>"}[i%3], Status: order.StatusClosed, Images: i%5 + 1, Rounds: i % 3,
			Price: decimal.NewNullDecimal(decimal.RequireFromString("2.5").Mul(decimal.NewFromInt(int64(i % 5)))), Placed: at,
			Milestones: order.Milestones{Promised: at.Add(10 * time.Hour), Ready: at.Add(time.Duration(i+1) * 50 * time.Minute), Ended: at.Add(time.Duration(i+2) * time.Hour)},
		}
	}
	if n > 2 {
		rows[1].Status, rows[2].Price = order.StatusCanceled, decimal.NullDecimal{}
	}
	return rows
}

func reportOf(n int, by order.ReportBy) View {
	month := order.MonthOf(cardstest.Now, time.UTC)
	return View{Report: order.NewReport(reported(n), month, by, cardstest.Now), Month: month, Channel: "C0PHOTOS", Money: true}
}

func TestGoldenReports(t *testing.T) {
	shared := reportOf(20, order.ByCustomer)
	shared.Channel, shared.Money, shared.UTC, shared.Cut = "", false, true, 20_000
	charted := reportOf(20, "")
	charted.Chart, charted.Notes = "F0CHART", []string{FileSent(20)}
	hidden := reportOf(20, order.ByChannel)
	hidden.Groups[1].Name, hidden.Channel = "", ""
	many := reportOf(20, order.ByCustomer)
	for i := range 40 {
		many.Groups = append(many.Groups, order.ReportGroup{Name: fmt.Sprint("customer ", i), Figures: many.Groups[0].Figures})
	}
	for name, v := range map[string]any{
		"empty": Window(reportOf(0, ""), "report:1"), "month": Window(charted, "report:1"), "person": Window(reportOf(20, order.ByPerson), "report:1"),
		"account": Window(shared, "report:1"), "channel": Window(hidden, "report:1"), "many": Window(many, "report:1"),
		"problem": Problem("<!channel>", "<!channel> by moon"),
	} {
		t.Run(name, func(t *testing.T) {
			cardstest.CheckLimits(t, v)
			cardstest.Compare(t, filepath.Join("testdata", "report", name+".json"), cardstest.Pretty(t, v), os.Getenv("UPDATE_GOLDEN") != "")
		})
	}
}

// The comparison is loose, because another version of the library may move letters.
func TestTheChartLooksAsItDid(t *testing.T) {
	for name, r := range map[string]View{"days": reportOf(40, ""), "groups": reportOf(20, order.ByPerson)} {
		raw, err := Chart(r)
		require.NoError(t, err)
		file := filepath.Join("testdata", "chart", name+".png")
		if os.Getenv("UPDATE_GOLDEN") != "" {
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, raw, 0o600))
		}
		kept, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Less(t, unlike(t, raw, kept), 0.02, name)
	}
	days, err := Chart(reportOf(40, ""))
	require.NoError(t, err)
	none, err := Chart(reportOf(1, ""))
	require.NoError(t, err)
	require.Greater(t, unlike(t, days, none), 0.02, "other figures look otherwise")
}

// unlike returns the difference of two images from 0 to 1: the mean over tiles of 15 pixels.
func unlike(t *testing.T, a, b []byte) float64 {
	t.Helper()
	one, other := tilesOf(t, a), tilesOf(t, b)
	require.Len(t, other, len(one))
	sum := 0.0
	for i := range one {
		sum += max(one[i]-other[i], other[i]-one[i])
	}
	return sum / float64(len(one))
}

func tilesOf(t *testing.T, raw []byte) []float64 {
	t.Helper()
	const side = 15
	picture, _, err := image.Decode(bytes.NewReader(raw))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, chartWidth, chartHeight), picture.Bounds())
	tiles := make([]float64, (chartWidth/side)*(chartHeight/side))
	for x := range chartWidth {
		for y := range chartHeight {
			r, g, b, _ := picture.At(x, y).RGBA()
			tiles[y/side*(chartWidth/side)+x/side] += float64(r+g+b) / (3 * 65535 * side * side)
		}
	}
	return tiles
}

func TestAReportSaysWhatItsImagesAndRoundsAre(t *testing.T) {
	fact := func(f order.Figures, name string) string {
		for _, fact := range (View{Money: true}).facts(f) {
			if fact.Name == name {
				return fact.Value
			}
		}
		return ""
	}
	require.Equal(t, "12 · without canceled orders", fact(order.Figures{Orders: 5, Canceled: 1, Images: 12}, "Photos"))
	require.Equal(t, "12", fact(order.Figures{Orders: 5, Images: 12}, "Photos"))
	for rounds, says := range map[int]string{0: "0", 1: "1", 2: "2 · 0.1 per order", 40: "40 · 1 per order"} {
		require.Equal(t, says, fact(order.Figures{Orders: 40, Rounds: rounds}, "Rounds of changes"))
	}
}
