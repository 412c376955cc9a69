package report

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
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

func reportOf(n int, by order.ReportBy) View { return viewOf(reported(n), by) }

func viewOf(rows []order.ReportRow, by order.ReportBy) View {
	month := order.MonthOf(cardstest.Now, time.UTC)
	return View{Report: order.NewReport(rows, month, by, cardstest.Now), Month: month, Channel: "C0PHOTOS", Money: true}
}

// presetNames are hard to show.
var presetNames = []string{"Beach", "", "<!channel> & *Smith* _wedding_", strings.TrimSpace(strings.Repeat("Long name ", 7)), "חוף"}

// reviewed returns orders of presets, in all states. Of some, times or rounds are unknown.
func reviewed(n int) []order.ReportRow {
	rows := reported(n)
	for i := range rows {
		rows[i].Preset = presetNames[i%len(presetNames)]
		rows[i].Inspected = order.Inspected{Photos: i % 3 * 10, Faulty: i % 3 * 3}
		if rows[i].Rounds > 0 {
			rows[i].Changes = rows[i].Ready.Add(time.Duration(i) * 7 * time.Minute)
		}
	}
	if n > 9 {
		rows[3].Status, rows[4].Status, rows[5].Status = order.StatusReviewing, order.StatusEditing, order.StatusRevising
		rows[4].Milestones, rows[5].Rounds = order.Milestones{}, 1
		rows[6].RoundsUnknown, rows[7].Changes, rows[9].Channel = true, time.Time{}, ""
	}
	return rows
}

// fiftyPresets is a month of 50 presets and of orders without one. The first preset has the most orders.
func fiftyPresets() View {
	rows := reviewed(1000)
	for i := range rows {
		rows[i].Channel, rows[i].Preset = "C0PHOTOS", ""
		if preset := i % 51; preset > 0 {
			rows[i].Preset = fmt.Sprint("Preset ", preset)
		}
	}
	return viewOf(rows, order.ByPreset)
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
		"empty": Window(reportOf(0, ""), "report:1"), "preset": Window(viewOf(reviewed(20), order.ByPreset), "report:1"), "round": Window(viewOf(reviewed(20), order.ByRound), "report:1"), "fifty": Window(fiftyPresets(), "report:1"),
		"unjudged": Window(viewOf([]order.ReportRow{{Channel: "C0PHOTOS", Status: order.StatusEditing}}, order.ByPreset), "report:1"),
		"month":    Window(charted, "report:1"), "person": Window(reportOf(20, order.ByPerson), "report:1"),
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

// Who reads 0% learns what was counted, too.
func TestAReportSaysWhatFindingsAre(t *testing.T) {
	rows := reviewed(1)
	for n, explained := range map[order.Inspected]bool{{}: false, {Photos: 2}: true, {Photos: 2, Faulty: 1}: true} {
		rows[0].Inspected = n
		shown := cardstest.Pretty(t, Window(viewOf(rows, order.ByPreset), "report:1"))
		require.Equal(t, explained, strings.Contains(shown, "Photos with findings were not as ordered"), n)
		require.NotContains(t, cardstest.Pretty(t, Window(viewOf(rows, order.ByPerson), "report:1")), "findings", "nobody is ranked")
	}
}

func TestADurationIsRoundedToMinutes(t *testing.T) {
	for took, says := range map[time.Duration]string{
		0: "less than a minute", 29 * time.Second: "less than a minute", 30 * time.Second: "1 min", 59*time.Minute + 29*time.Second: "59 min", 59*time.Minute + 30*time.Second: "1 h",
		3*time.Hour + 20*time.Minute: "3 h 20 min", 24*time.Hour - time.Second: "1 d", 25*time.Hour + 10*time.Minute: "1 d 1 h", 48 * time.Hour: "2 d",
	} {
		require.Equal(t, says, duration(took))
	}
}

func TestLateDeliveriesAreSaid(t *testing.T) {
	for says, f := range map[string]order.Figures{
		"nothing to compare yet": {}, "0 on time, 1 late": {Late: 1}, "2 on time, 0 late": {OnTime: 2},
	} {
		require.Equal(t, says, punctuality(f))
	}
	require.Equal(t, "1 order · 1 late", View{}.line(order.Figures{Orders: 1, Late: 1}))
	require.Equal(t, "1 order", View{}.line(order.Figures{Orders: 1, OnTime: 1}))
}

func TestSharesAndMediansOfReviews(t *testing.T) {
	tests := []struct {
		first, of     int
		median        float64
		share, rounds string
	}{
		{0, 0, 0, "", "0 rounds"},
		{0, 3, 2, "0 of 3 (0%)", "2 rounds"},
		{1, 3, 1.5, "1 of 3 (33%)", "1.5 rounds"},
		{2, 3, 1, "2 of 3 (67%)", "1 round"},
		{1, 8, 3, "1 of 8 (13%)", "3 rounds"},
		{8, 8, 1, "8 of 8 (100%)", "1 round"},
	}
	for _, row := range tests {
		f := order.Figures{Reviews: order.Reviews{First: row.first, Approvals: row.of, MedianRound: row.median}}
		require.Equal(t, row.share, firstRound(f))
		require.Equal(t, row.rounds, medianRound(f))
	}
	for n, says := range map[order.Inspected]string{{}: "", {Photos: 40}: "0 of 40 (0%)", {Photos: 40, Faulty: 3}: "3 of 40 (8%)", {Photos: 3, Faulty: 3}: "3 of 3 (100%)"} {
		require.Equal(t, says, withFindings(order.Figures{Reviews: order.Reviews{Inspected: n}}))
	}
	require.NotContains(t, View{Money: false}.reviewLine(order.Figures{Orders: 1}), "credits")
	require.Equal(t, "1 order · 0 photos · 0 credits", View{Money: true}.reviewLine(order.Figures{Orders: 1}))
}

// The bars of the chart are the groups that are shown, by the same numbers.
func TestOfFiftyPresetsTheLargestAreShownAndTheRestIsCounted(t *testing.T) {
	v := fiftyPresets()
	require.Len(t, v.Groups, 51)
	shown := cardstest.Pretty(t, Window(v, "report:1"))
	require.Contains(t, shown, `"12 · *`)
	require.NotContains(t, shown, `"13 · *`)
	require.Contains(t, shown, "And 39 more.")
	values, _ := v.bars()
	require.Len(t, values, 12)
	v.Groups = v.Groups[:12]
	require.NotContains(t, cardstest.Pretty(t, Window(v, "report:1")), "more.")
}
