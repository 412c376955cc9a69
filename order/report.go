package order

import (
	"cmp"
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

// ReportRow is one order as a report counts it.
type ReportRow struct {
	ID, Reference, Name string
	Channel, Person     string // Slack's ids; "": not for the reader to know
	Customer            string
	Status              Status
	Images              int                 // that are edited
	Price               decimal.NullDecimal // credits
	Rounds              int                 // of requested changes
	Placed              time.Time
	Milestones
}

// Canceled says that the order was taken back.
func (r ReportRow) Canceled() bool { return r.Status == StatusCanceled }

// ReadyAfter is how long the first delivery took; false while there is none.
func (r ReportRow) ReadyAfter() (time.Duration, bool) { return since(r.Placed, r.Ready) }

// ApprovedAfter is how long it took until the order was approved; false when it was not, or nobody knows when.
func (r ReportRow) ApprovedAfter() (time.Duration, bool) {
	if r.Status != StatusClosed {
		return 0, false
	}
	return since(r.Placed, r.Ended)
}

func since(from, to time.Time) (time.Duration, bool) {
	if from.IsZero() || to.IsZero() {
		return 0, false
	}
	return max(to.Sub(from), 0), true
}

// Punctuality is how an order kept to the service's estimate.
type Punctuality string

// What became of an estimate.
const (
	OnTime  Punctuality = "on time"
	Late    Punctuality = "late"
	Untimed Punctuality = "" // there was no estimate, its time has not come, or the order ended before
)

// Punctual says how the first delivery kept to the service's estimate. What is still awaited after that
// time is late.
func (r ReportRow) Punctual(now time.Time) Punctuality {
	switch {
	case r.Promised.IsZero():
		return Untimed
	case !r.Ready.IsZero() && r.Ready.After(r.Promised), r.Ready.IsZero() && !r.Status.Final() && now.After(r.Promised):
		return Late
	case r.Ready.IsZero():
		return Untimed
	}
	return OnTime
}

// ReportBy is what a report is grouped by.
type ReportBy string

// The groups of a report; the zero value makes none.
const (
	ByPerson   ReportBy = "person"
	ByChannel  ReportBy = "channel"
	ByCustomer ReportBy = "customer"
)

// of is the group that the row belongs to.
func (by ReportBy) of(r ReportRow) string {
	switch by {
	case ByPerson:
		return r.Person
	case ByChannel:
		return r.Channel
	case ByCustomer:
		return r.Customer
	}
	return ""
}

// Spread is how long something took.
type Spread struct {
	Count           int // how often it was measured
	Median, Slowest time.Duration
}

func spreadOf(all []time.Duration) Spread {
	if len(all) == 0 {
		return Spread{}
	}
	slices.Sort(all)
	n := len(all)
	return Spread{Count: n, Median: (all[(n-1)/2] + all[n/2]) / 2, Slowest: all[n-1]}
}

// Figures are what a report says of some orders.
type Figures struct {
	Orders   int
	Canceled int             // of these
	Images   int             // that are edited, of orders that were not canceled
	Credits  decimal.Decimal // of orders that were not canceled
	Returned decimal.Decimal // of those that were: the interface does not say that they come back
	Unpriced int             // orders whose price nobody told: they count as nothing
	Rounds   int             // of requested changes
	Ready    Spread          // placed to first delivery
	Approved Spread          // placed to approved
	OnTime   int
	Late     int
}

// ReportGroup are the figures of one group; Name is what the orders have in common, "" when they have
// none.
type ReportGroup struct {
	Name string
	Figures
}

// Report is what became of the orders of a time.
type Report struct {
	Total  Figures
	By     ReportBy
	Groups []ReportGroup // those with most orders first; none when it is not grouped
	Days   []Figures     // by the day of the month on which they were placed, from the first; never nil
}

// NewReport counts the orders that were placed in a month. It is pure.
func NewReport(rows []ReportRow, m Month, by ReportBy, now time.Time) Report {
	r := Report{By: by, Total: figures(rows, now), Days: make([]Figures, m.Days())}
	days := map[int][]ReportRow{}
	for _, row := range rows {
		if !row.Placed.IsZero() {
			day := row.Placed.In(m.Zone).Day() - 1
			days[day] = append(days[day], row)
		}
	}
	for day := range r.Days {
		r.Days[day] = figures(days[day], now)
	}
	if by == "" {
		return r
	}
	groups := map[string][]ReportRow{}
	for _, row := range rows {
		groups[by.of(row)] = append(groups[by.of(row)], row)
	}
	for name, some := range groups {
		r.Groups = append(r.Groups, ReportGroup{name, figures(some, now)})
	}
	slices.SortFunc(r.Groups, func(a, b ReportGroup) int {
		return cmp.Or(b.Orders-a.Orders, b.Credits.Cmp(a.Credits), cmp.Compare(a.Name, b.Name))
	})
	return r
}

func figures(rows []ReportRow, now time.Time) Figures {
	var f Figures
	var ready, approved []time.Duration
	for _, r := range rows {
		f.count(r, now)
		if took, known := r.ReadyAfter(); known {
			ready = append(ready, took)
		}
		if took, known := r.ApprovedAfter(); known {
			approved = append(approved, took)
		}
	}
	f.Ready, f.Approved = spreadOf(ready), spreadOf(approved)
	return f
}

// count adds what can be added.
func (f *Figures) count(r ReportRow, now time.Time) {
	f.Orders++
	f.Rounds += r.Rounds
	switch {
	case !r.Price.Valid:
		f.Unpriced++
	case r.Canceled():
		f.Returned = f.Returned.Add(r.Price.Decimal)
	default:
		f.Credits = f.Credits.Add(r.Price.Decimal)
	}
	if r.Canceled() {
		f.Canceled++
	} else {
		f.Images += r.Images
	}
	switch r.Punctual(now) {
	case OnTime:
		f.OnTime++
	case Late:
		f.Late++
	}
}
