package order_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/order"
)

// of returns a number of images of one type.
func of(service order.ServiceType, images int) map[order.ServiceType]int {
	return map[order.ServiceType]int{service: images}
}

// paid returns an order of a channel; credits "" is an unknown price.
func paid(channel string, images map[order.ServiceType]int, credits string) order.Spending {
	s := order.Spending{Channel: channel, Images: images}
	if credits != "" {
		s.Price = decimal.NewNullDecimal(decimal.RequireFromString(credits))
	}
	return s
}

// Canceled orders, orders without images and orders with absurd prices do not count in an estimate.
func TestWhatImagesWillCostIsToldByThoseOfTheirType(t *testing.T) {
	t.Parallel()
	basic, extensive := order.ServiceBasic, order.ServiceExtensive
	canceled := paid("C1", of(basic, 10), "100")
	canceled.Canceled = true
	for name, row := range map[string]struct {
		month, before []order.Spending
		images        map[order.ServiceType]int
		want          string
		guessed       bool
	}{
		"by their type":                    {[]order.Spending{paid("C1", of(basic, 20), "20"), paid("C1", of(extensive, 3), "15")}, nil, of(extensive, 10), "50", false},
		"each by its own":                  {[]order.Spending{paid("C1", of(basic, 20), "20"), paid("C1", of(extensive, 3), "15")}, nil, map[order.ServiceType]int{basic: 2, extensive: 2}, "12", false},
		"by the months before, too":        {[]order.Spending{paid("C1", of(basic, 2), "2")}, []order.Spending{paid("C1", of(basic, 2), "6")}, of(basic, 4), "8", false},
		"by those of the channel":          {[]order.Spending{paid("C1", of(basic, 1), "1"), paid("C2", of(basic, 1), "9")}, nil, of(basic, 4), "4", false},
		"by another channel's, if it must": {[]order.Spending{paid("C1", of(basic, 1), "1"), paid("C2", of(extensive, 1), "9")}, nil, of(extensive, 4), "36", false},
		"not by orders of several types":   {[]order.Spending{paid("C1", map[order.ServiceType]int{basic: 1, extensive: 1}, "90"), paid("C1", of(basic, 1), "1")}, nil, of(basic, 4), "4", false},
		"a guess by all images":            {[]order.Spending{paid("C1", of(basic, 10), "20")}, nil, of(extensive, 4), "8", true},
		"a guess by the account's":         {[]order.Spending{paid("C2", of(basic, 10), "30")}, nil, of(extensive, 4), "12", true},
		"a credit each, where none tells":  {[]order.Spending{paid("C1", of(basic, 5), ""), canceled, paid("C1", nil, "7"), paid("C1", of(basic, 1), "-1"), paid("C1", of(basic, 1), "1e1000")}, nil, of(basic, 2), "2", true},
		"of a type that nobody told":       {[]order.Spending{paid("C1", of(basic, 2), "2"), paid("C1", of("", 2), "6")}, nil, of("", 4), "8", false},
		"hundredths":                       {[]order.Spending{paid("C1", of(basic, 3), "10"), canceled}, nil, of(basic, 2), "6.67", false},
		"free":                             {[]order.Spending{paid("C1", of(basic, 3), "0")}, nil, of(basic, 2), "0", false},
		"nothing":                          {nil, nil, nil, "0", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cost, guessed := order.Ledger{Month: row.month, Before: row.before}.Cost("C1", row.images)
			require.Equal(t, row.want, cost.String())
			require.Equal(t, row.guessed, guessed)
		})
	}
}

func TestWhatIsSpentCountsOrdersWhosePriceIsNotKnownYet(t *testing.T) {
	t.Parallel()
	basic := order.ServiceBasic
	canceled := paid("C1", of(basic, 4), "4")
	canceled.Canceled = true
	l := order.Ledger{
		Month:  []order.Spending{paid("C1", of(basic, 2), "5"), paid("C1", of(basic, 4), ""), canceled, paid("C2", of(basic, 1), "100"), paid("C2", of(basic, 2), "")},
		Before: []order.Spending{paid("C1", of(basic, 10), "31"), paid("C2", of(basic, 10), "1000")},
	}
	require.Equal(t, "17", l.Spent("C1").String(), "5, and 4 images at 3")
	require.Equal(t, "300", l.Spent("C2").String(), "100, and 2 images at 100")
	require.Equal(t, "317", l.Spent("").String(), "of all channels")
	require.Equal(t, "0", l.Spent("C3").String())
	odd := order.Ledger{Month: []order.Spending{paid("C1", of(basic, 2), "1e1000"), paid("C1", of(basic, 1), "-3"), paid("C1", nil, "7")}}
	require.Equal(t, "10", odd.Spent("").String(), "what nobody pays counts by its images")
}
