package order

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// ReportRow is one order in a report.
type ReportRow struct {
	ID, Reference, Name string
	Channel, Person     string // Slack IDs; "": hidden from the reader
	Customer            string
	Preset              string // name; "": no preset filled its form, or it is hidden from the reader
	Status              Status
	Images              int                 // edited ones
	Price               decimal.NullDecimal // credits
	Rounds              int                 // of requested changes
	RoundsUnknown       bool                // the service never told a revision: Rounds is 0
	Placed              time.Time
	Milestones
	Inspected Inspected // the first inspected delivery of each round
}

// Canceled reports whether the order was canceled.
func (r ReportRow) Canceled() bool { return r.Status == StatusCanceled }

// ReadyAfter returns the time until the first delivery; false without one.
func (r ReportRow) ReadyAfter() (time.Duration, bool) { return since(r.Placed, r.Ready) }

// ApprovedAfter returns the time until approval; false without one, or if its time is unknown.
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

// Punctuality compares the first delivery with the service's estimate.
type Punctuality string

// The values of Punctuality.
const (
	OnTime  Punctuality = "on time"
	Late    Punctuality = "late"
	Untimed Punctuality = "" // no estimate, not due yet, or the order ended before
)

// Punctual compares the first delivery with the estimate. A delivery still missing after the estimate is late.
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

// ReportBy is the field by which a report groups orders.
type ReportBy string

// The fields to group by; the zero value makes no groups.
const (
	ByPerson   ReportBy = "person"
	ByChannel  ReportBy = "channel"
	ByCustomer ReportBy = "customer"
	ByPreset   ReportBy = "preset" // by its name, in any case
	ByRound    ReportBy = "round"  // see [ReportRow.Round]
)

// OfReviews reports whether the groups show [Reviews]. Groups of people never do: nobody is ranked.
func (by ReportBy) OfReviews() bool { return by == ByPreset || by == ByRound }

// of returns the group of a row.
func (by ReportBy) of(r ReportRow) string {
	switch by {
	case ByPerson:
		return r.Person
	case ByChannel:
		return r.Channel
	case ByCustomer:
		return r.Customer
	case ByPreset:
		return r.preset()
	case ByRound:
		return r.round()
	}
	return ""
}

// key returns a row's group as compared: a preset of the same name in another case is the same preset.
func (by ReportBy) key(r ReportRow) string {
	if by == ByPreset {
		return strings.ToLower(r.preset())
	}
	return by.of(r)
}

// Spread summarizes durations.
type Spread struct {
	Count           int // number of durations
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

// Figures are the totals of some orders.
type Figures struct {
	Orders   int
	Canceled int             // of Orders
	Images   int             // edited ones, without canceled orders
	Credits  decimal.Decimal // without canceled orders
	Returned decimal.Decimal // price of canceled orders; the interface does not promise a refund
	Unpriced int             // orders without a known price, which count as 0 credits
	Rounds   int             // of requested changes
	Ready    Spread          // from placement to the first delivery
	Approved Spread          // from placement to approval
	OnTime   int
	Late     int
	Reviews
}

// ReportGroup has the figures of one group. Name is the common value, "" if it is empty or unknown.
type ReportGroup struct {
	Name string
	Figures
}

// Report has the figures of the orders placed in a month.
type Report struct {
	Total  Figures
	By     ReportBy
	Groups []ReportGroup // most orders first; nil without grouping
	Days   []Figures     // one for each day of the month; never nil
}

// NewReport counts the orders placed in a month. It is pure.
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
		groups[by.key(row)] = append(groups[by.key(row)], row)
	}
	for _, some := range groups {
		r.Groups = append(r.Groups, ReportGroup{by.of(some[0]), figures(some, now)})
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
	f.Ready, f.Approved, f.Reviews = spreadOf(ready), spreadOf(approved), reviewsOf(rows)
	return f
}

// count adds the sums of one order.
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
