package report

import (
	"cmp"
	"strconv"
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
)

// CSV returns the orders as a file for spreadsheets; see [kit.CsvFile]. names maps Slack ids to names; times
// are in zone.
func CSV(rows []order.ReportRow, zone *time.Location, names map[string]string, money bool, now time.Time) []byte {
	columns := reportColumns(zone, names, money, now)
	lines := [][]string{kit.Map(columns, func(_ int, c column) string { return c.name })}
	for _, r := range rows {
		lines = append(lines, kit.Map(columns, func(_ int, c column) string { return c.of(r) }))
	}
	return kit.CsvFile(lines)
}

// column is one column of the file.
type column struct {
	name string
	of   func(r order.ReportRow) string
}

func reportColumns(zone *time.Location, names map[string]string, money bool, now time.Time) []column {
	at := func(t time.Time) string { return kit.OnlyIf(!t.IsZero(), t.In(zone).Format(time.DateTime)) }
	named := func(id string) string { return cmp.Or(names[id], id) }
	in := " (" + zone.String() + ")"
	all := []column{
		{"Order ID", func(r order.ReportRow) string { return r.ID }},
		{"Reference", func(r order.ReportRow) string { return r.Reference }},
		{"Project", func(r order.ReportRow) string { return r.Name }},
		{"Channel", func(r order.ReportRow) string { return named(r.Channel) }},
		{"Requested by", func(r order.ReportRow) string { return named(r.Person) }},
		{"Customer ID", func(r order.ReportRow) string { return r.Customer }},
		{"Status", func(r order.ReportRow) string { return cmp.Or(cards.KnownStatus(r.Status), string(r.Status)) }},
		{"Images", func(r order.ReportRow) string { return strconv.Itoa(r.Images) }},
		{"Rounds of changes", func(r order.ReportRow) string { return kit.OnlyIf(!r.RoundsUnknown, strconv.Itoa(r.Rounds)) }},
		{"Placed" + in, func(r order.ReportRow) string { return at(r.Placed) }},
		{"Estimated" + in, func(r order.ReportRow) string { return at(r.Promised) }},
		{"First delivery" + in, func(r order.ReportRow) string { return at(r.Ready) }},
		{"Approved or canceled" + in, func(r order.ReportRow) string { return at(r.Ended) }},
		{"Hours to first delivery", func(r order.ReportRow) string { return hours(r.ReadyAfter()) }},
		{"Hours to approval", func(r order.ReportRow) string { return hours(r.ApprovedAfter()) }},
		{"Estimate", func(r order.ReportRow) string { return string(r.Punctual(now)) }},
		{"Preset", func(r order.ReportRow) string { return r.Preset }},
		{"Round in review or approved", func(r order.ReportRow) string {
			round, known := r.Round()
			return kit.OnlyIf(known, strconv.Itoa(round))
		}},
		{"Hours from first delivery to decision", func(r order.ReportRow) string { return hours(r.DecidedAfter()) }},
		{"Photos inspected", func(r order.ReportRow) string { return inspected(r, r.Inspected.Photos) }},
		{"Photos with findings", func(r order.ReportRow) string { return inspected(r, r.Inspected.Faulty) }},
	}
	if money {
		all = append(all, column{"Credits", func(r order.ReportRow) string {
			return kit.OnlyIf(r.Price.Valid, r.Price.Decimal.String())
		}})
	}
	return all
}

// inspected returns a number of photos; "" for an order that was not inspected.
func inspected(r order.ReportRow, photos int) string {
	return kit.OnlyIf(r.Inspected.Photos > 0, strconv.Itoa(photos))
}

// hours formats a duration as a number that can be summed.
func hours(d time.Duration, known bool) string {
	return kit.OnlyIf(known, strconv.FormatFloat(d.Hours(), 'f', 2, 64))
}
