package cards

import (
	"strconv"
	"time"

	"darkroom/order"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// TitleReport is the title of the window that shows a report.
const TitleReport = "Report"

// maxGroups is how many groups a report shows; the file has all.
const maxGroups = 20

// Report is a report as one person reads it.
type Report struct {
	order.Report
	Month   order.Month
	Channel string // whose orders they are; "": those of all channels
	Money   bool   // the reader may know what the orders cost
	Cut     int    // how many orders were counted at most, and there were more; 0: all were
	UTC     bool   // nobody told the reader's time zone
	Chart   string // the id of the picture in Slack; "": none yet

	// Notes are sentences about the chart and the file, safe already.
	Notes []string
}

// ReportView is the report in its window.
func ReportView(r Report, externalID string) slack.ModalViewRequest {
	p := window("*" + r.title() + "*")
	if r.Total.Orders == 0 {
		return p.say("No orders were placed in that month.").ends(r).modal(TitleReport, externalID, Meta{Channel: r.Channel})
	}
	p.facts(r.facts(r.Total)...)
	if r.Chart != "" {
		p.put(slack.NewImageBlockSlackFile(&slack.SlackFileObject{ID: r.Chart}, r.chartTitle(), "", plainText(r.chartTitle())))
	}
	if r.By != "" {
		p.say("*By " + string(r.By) + "*")
	}
	for i, g := range r.Groups[:min(len(r.Groups), maxGroups)] {
		p.say(strconv.Itoa(i+1) + " · *" + r.group(g.Name) + "*\n" + r.line(g.Figures))
	}
	if more := len(r.Groups) - maxGroups; more > 0 {
		p.note(count(more, "more group is", "more groups are") + " in the file: add `csv` to the line.")
	}
	return p.ends(r).modal(TitleReport, externalID, Meta{Channel: r.Channel})
}

// ends adds what must be known of the figures.
func (p *builder) ends(r Report) *builder {
	p.note(onlyIf(r.Cut > 0, "Only the newest "+strconv.Itoa(r.Cut)+" orders of the month were counted."))
	p.note(onlyIf(r.Money && r.Total.Canceled > 0, "Credits of canceled orders do not count as spent, here and for limits. The service does not say whether it gives them back."))
	p.note(onlyIf(r.Money && r.Total.Unpriced > 0, "The service told no price of "+count(r.Total.Unpriced, "order", "orders")+": no credits are counted there."))
	p.note(onlyIf(!r.Money, "Credits are left out: on this account only operators read them."))
	for _, note := range r.Notes {
		p.note(note)
	}
	return p.note(dots("Orders placed in "+r.Month.String(), "times of "+r.zone()))
}

func (r Report) zone() string {
	if r.UTC {
		return "UTC, as Slack does not tell me your time zone"
	}
	return inline(r.Month.Zone.String(), 60)
}

func (r Report) title() string {
	whose := "all channels"
	if r.Channel != "" {
		whose = channelLink(r.Channel)
	}
	return "Report of " + whose + " · " + r.Month.String()
}

// facts are the figures of the whole report.
func (r Report) facts(f order.Figures) []fact {
	return []fact{
		{"Orders", dots(count(f.Orders, "order", "orders"), onlyIf(f.Canceled > 0, strconv.Itoa(f.Canceled)+" canceled"))},
		{"Images", dots(strconv.Itoa(f.Images), onlyIf(f.Canceled > 0, "without canceled orders"))},
		{"Credits spent", onlyIf(r.Money, dots(credits(f.Credits), onlyIf(!f.Returned.IsZero(), amount(f.Returned)+" of canceled orders")))},
		{"Rounds of changes", dots(strconv.Itoa(f.Rounds), perOrder(f))},
		{"First delivery", spread(f.Ready)},
		{"Approved", spread(f.Approved)},
		{"The service's estimate", kept(f)},
	}
}

// perOrder is how many rounds of changes an order had: "0.4 an order"; "" when there were none.
func perOrder(f order.Figures) string {
	if f.Rounds == 0 {
		return ""
	}
	each := decimal.NewFromInt(int64(f.Rounds)).DivRound(decimal.NewFromInt(int64(f.Orders)), 1)
	if each.IsZero() {
		return "less than 0.1 an order"
	}
	return each.String() + " an order"
}

// line are the figures of a group in a line.
func (r Report) line(f order.Figures) string {
	return dots(count(f.Orders, "order", "orders"), onlyIf(r.Money, credits(f.Credits)),
		count(f.Rounds, "round of changes", "rounds of changes"), led("first delivery ", onlyIf(f.Ready.Count > 0, lasted(f.Ready.Median))),
		led("approved after ", onlyIf(f.Approved.Count > 0, lasted(f.Approved.Median))), onlyIf(f.Late > 0, strconv.Itoa(f.Late)+" late"))
}

// group is what the orders of a group have in common.
func (r Report) group(name string) string {
	switch {
	case r.By == order.ByCustomer:
		return orElse(inline(name, 40), "No customer")
	case name == "":
		return "Channels that you are not in"
	case r.By == order.ByChannel:
		return channelLink(name)
	}
	return mention(name)
}

// spread is "after 3 h 20 min (median), 2 d 4 h at the slowest".
func spread(s order.Spread) string {
	if s.Count == 0 {
		return "none yet"
	}
	return "after " + lasted(s.Median) + " (median), " + lasted(s.Slowest) + " at the slowest"
}

// kept says how deliveries kept to the estimate; "" when there was none.
func kept(f order.Figures) string {
	if f.OnTime+f.Late == 0 {
		return "nothing to compare yet"
	}
	return strconv.Itoa(f.OnTime) + " on time, " + strconv.Itoa(f.Late) + " late"
}

// lasted is a time span for people: "45 min", "3 h 20 min", "2 d 4 h".
func lasted(d time.Duration) string {
	d = d.Round(time.Minute)
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	unit := func(n int, name string) string { return onlyIf(n > 0, strconv.Itoa(n)+" "+name) }
	switch {
	case d < time.Minute:
		return "less than a minute"
	case days > 0:
		return joined(" ", unit(days, "d"), unit(hours, "h"))
	}
	return joined(" ", unit(hours, "h"), unit(minutes, "min"))
}

// ReportProblem says what of a report's line cannot be understood.
func ReportProblem(word, line string) Message {
	return says("“"+inline(word, 100)+"” is no month, and nothing else that I can put in a report. Try `/order report`, `/order report last month by person` or `/order report 2026-11 csv`").
		kept("You typed:", line).message()
}

// Sentences that say why there is no report, or only a part of it.
const (
	ReportNeedsChannel = "A report is of a channel's orders: type `/order report` there. Operators read that of all channels anywhere, with `/order report account`"
	ChartNotYet        = "Slack was not done with the chart in time. Ask again to see it."
	ChartUnsent        = "The chart could not be given to Slack just now. Ask again to see it."
	FilesNotAllowed    = "Without the permission files:write I can show no chart and send no file: whoever installed me can allow it."
	FileUnsent         = "The CSV file could not be sent just now. Ask again to get it."
	FileUnsure         = "Slack did not say whether the CSV file arrived. If it is not in your messages with me, ask again."
)

// ReportDenied says to somebody who may only look, or is no member, that the report is not theirs to read.
func ReportDenied(channel string, why order.Denial) string {
	if why == order.DeniedNotMember {
		return "You are not a member of " + channelLink(channel) + ", so its report is not shown to you."
	}
	return onlySees(why) + "read reports: ask " + fullMember(channel) + "."
}

// FileSent says where the file is.
func FileSent(orders int) string {
	return "The CSV file with " + count(orders, "order", "orders") + " is in your messages with me."
}

// FileComment is what stands above the file.
func FileComment(r Report) string { return r.title() }
