package order_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/order"
)

func priced(images int, credits string, placed time.Time) order.ReportRow {
	return order.ReportRow{Images: images, Price: decimal.NewNullDecimal(decimal.RequireFromString(credits)), Placed: placed, Status: order.StatusEditing}
}

func TestWhatIsSpentCountsOrdersWhosePriceIsNotKnownYet(t *testing.T) {
	t.Parallel()
	month := time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)
	before, since := month.AddDate(0, 0, -3), month.AddDate(0, 0, 3)
	for name, row := range map[string]struct {
		rows []order.ReportRow
		want string
	}{
		"nothing":                             {nil, "0"},
		"of the month alone":                  {[]order.ReportRow{priced(10, "30", before), priced(2, "5", since)}, "5"},
		"by what images cost before":          {[]order.ReportRow{priced(10, "30", before), {Images: 4, Placed: since}}, "12"},
		"a credit an image, where none tells": {[]order.ReportRow{{Images: 4, Placed: since}, {Images: 3}}, "7"},
		"not what was canceled":               {[]order.ReportRow{{Images: 4, Placed: since, Status: order.StatusCanceled}}, "0"},
		"not what an earlier month cost":      {[]order.ReportRow{{Images: 4, Placed: before}}, "0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.want, order.SpentSince(row.rows, month).String())
		})
	}
}

// What was canceled tells nothing of what images cost, and what has no images, or no price yet, nothing either.
func TestWhatImagesWillCostIsToldByWhatImagesCost(t *testing.T) {
	t.Parallel()
	placed := time.Date(2026, time.November, 3, 0, 0, 0, 0, time.UTC)
	canceled := priced(10, "100", placed)
	canceled.Status = order.StatusCanceled
	cost, guessed := order.Expected([]order.ReportRow{priced(3, "10", placed), canceled, priced(0, "7", placed), {Images: 5}}, 2)
	require.False(t, guessed)
	require.Equal(t, "6.67", cost.String())
	cost, guessed = order.Expected([]order.ReportRow{canceled, priced(0, "7", placed), {Images: 5}}, 2)
	require.True(t, guessed)
	require.Equal(t, "2", cost.String())
}
