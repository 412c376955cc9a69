// Package report shows a month's orders as figures, a chart and a file.
package report

import (
	"cmp"
	"strconv"
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// Title is the title of the report's window.
const Title = "Report"

// maxGroups bounds how many groups a report shows. The file has all.
const maxGroups = 20

// maxPresetName bounds a preset's name, escaped.
const maxPresetName = 300

// View is a report as one person reads it.
type View struct {
	order.Report
	Month   order.Month
	Channel string // "": all channels
	Money   bool   // the reader may know prices
	Cut     int    // only this many orders were counted; 0: all were
	UTC     bool   // the reader's time zone is unknown
	Chart   string // Slack file id of the chart; "": none yet

	// Notes are safe sentences about the chart and the file.
	Notes []string
}

// Window returns the report's modal.
func Window(r View, externalID string) slack.ModalViewRequest {
	p := kit.NewWindow("*" + r.title() + "*")
	if r.Total.Orders == 0 {
		return addEnds(p.Say("No orders were placed in that month."), r).Modal(Title, externalID, kit.Meta{Channel: r.Channel})
	}
	p.Facts(r.facts(r.Total)...)
	if r.By.OfReviews() {
		p.Facts(reviewFacts(r.Total)...)
	}
	if r.Chart != "" {
		p.Put(slack.NewImageBlockSlackFile(&slack.SlackFileObject{ID: r.Chart}, r.chartTitle(), "", kit.PlainText(r.chartTitle())))
	}
	p.Say(kit.OnlyIf(r.By != "", "*By "+string(r.By)+"*"))
	shown := kit.Either(r.By.OfReviews(), maxBars, maxGroups)
	line := kit.Either(r.By.OfReviews(), r.reviewLine, r.line)
	for i, g := range r.Groups[:min(len(r.Groups), shown)] {
		p.Say(strconv.Itoa(i+1) + " · *" + r.group(g.Name) + "*\n" + line(g.Figures))
	}
	more := len(r.Groups) - shown
	p.Note(kit.OnlyIf(more > 0, "And "+strconv.Itoa(more)+" more. Add `csv` to the command to get every order in a file."))
	return addEnds(p, r).Modal(Title, externalID, kit.Meta{Channel: r.Channel})
}

// addEnds adds notes about the figures.
func addEnds(p *kit.Page, r View) *kit.Page {
	addReviewNotes(p, r)
	p.Note(kit.OnlyIf(r.Cut > 0, "Only the newest "+strconv.Itoa(r.Cut)+" orders of the month were counted."))
	p.Note(kit.OnlyIf(r.Money && r.Total.Canceled > 0, "Credits of canceled orders do not count as spent, in reports and for limits. The photo service does not say if it returns them."))
	p.Note(kit.OnlyIf(r.Money && r.Total.Unpriced > 0, kit.Count(r.Total.Unpriced, "order has", "orders have")+" no price from the photo service, and no credits in these figures."))
	p.Note(kit.OnlyIf(!r.Money, "Only operators see this account's credits."))
	for _, note := range r.Notes {
		p.Note(note)
	}
	return p.Note(kit.Dots("Orders placed in "+r.Month.String(), "times in "+r.zone()))
}

func (r View) zone() string {
	return kit.Either(r.UTC, "UTC, because Slack does not tell me your time zone", kit.Inline(order.ZoneName(r.Month.Zone.String()), 60))
}

func (r View) title() string {
	whose := kit.Either(r.Channel != "", kit.ChannelLink(r.Channel), "all channels")
	return "Report of " + whose + " · " + r.Month.String()
}

// facts returns the figures of the whole report.
func (r View) facts(f order.Figures) []kit.Fact {
	return []kit.Fact{
		{Name: "Orders", Value: kit.Dots(kit.Count(f.Orders, "order", "orders"), kit.OnlyIf(f.Canceled > 0, strconv.Itoa(f.Canceled)+" canceled"))},
		{Name: "Photos", Value: kit.Dots(strconv.Itoa(f.Images), kit.OnlyIf(f.Canceled > 0, "without canceled orders"))},
		{Name: "Credits spent", Value: kit.OnlyIf(r.Money, kit.Dots(kit.CreditCount(f.Credits), kit.OnlyIf(!f.Returned.IsZero(), kit.Amount(f.Returned)+" for canceled orders")))},
		{Name: "Rounds of changes", Value: kit.Dots(strconv.Itoa(f.Rounds), perOrder(f))},
		{Name: "First delivery", Value: spread(f.Ready)},
		{Name: "Approved", Value: spread(f.Approved)},
		{Name: "Photo service's estimate", Value: punctuality(f)},
	}
}

// perOrder returns the rounds of changes an order had: "0.4 per order", or "" for fewer than one in twenty orders.
func perOrder(f order.Figures) string {
	each := decimal.NewFromInt(int64(f.Rounds)).DivRound(decimal.NewFromInt(int64(f.Orders)), 1)
	return kit.OnlyIf(!each.IsZero(), each.String()+" per order")
}

// line returns a group's figures in one line.
func (r View) line(f order.Figures) string {
	return kit.Dots(kit.Count(f.Orders, "order", "orders"), kit.OnlyIf(r.Money, kit.CreditCount(f.Credits)),
		kit.OnlyIf(f.Rounds > 0, kit.Count(f.Rounds, "round of changes", "rounds of changes")), kit.Prefixed("first delivery ", kit.OnlyIf(f.Ready.Count > 0, duration(f.Ready.Median))),
		kit.Prefixed("approved after ", kit.OnlyIf(f.Approved.Count > 0, duration(f.Approved.Median))), kit.OnlyIf(f.Late > 0, strconv.Itoa(f.Late)+" late"))
}

// group returns a group's name.
func (r View) group(name string) string {
	switch {
	case r.By == order.ByCustomer:
		return cmp.Or(kit.Inline(name, 40), "No customer")
	case r.By == order.ByRound:
		return roundName(name)
	case name == "":
		return "Channels that you are not in"
	case r.By == order.ByChannel:
		return kit.ChannelLink(name)
	case r.By == order.ByPreset:
		return cmp.Or(kit.Inline(name, maxPresetName), "No preset")
	}
	return kit.Mention(name)
}

// spread returns "after 3 h 20 min (median), 2 d 4 h at the slowest".
func spread(s order.Spread) string {
	return kit.Either(s.Count == 0, "none yet", "after "+duration(s.Median)+" (median), "+duration(s.Slowest)+" at the slowest")
}

// punctuality says how many deliveries were on time.
func punctuality(f order.Figures) string {
	return kit.Either(f.OnTime+f.Late == 0, "nothing to compare yet", strconv.Itoa(f.OnTime)+" on time, "+strconv.Itoa(f.Late)+" late")
}

// duration formats a duration: "45 min", "3 h 20 min", "2 d 4 h".
func duration(d time.Duration) string {
	d = d.Round(time.Minute)
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	unit := func(n int, name string) string { return kit.OnlyIf(n > 0, strconv.Itoa(n)+" "+name) }
	switch {
	case d < time.Minute:
		return "less than a minute"
	case days > 0:
		return kit.Join(" ", unit(days, "d"), unit(hours, "h"))
	}
	return kit.Join(" ", unit(hours, "h"), unit(minutes, "min"))
}

// Problem says which part of a report command is invalid.
func Problem(word, line string) kit.Message {
	return kit.NewPage("I do not know “"+kit.Inline(word, 100)+"”. A report can be by person, channel, customer, preset or round. "+
		"Try `/order report`, `/order report last month by person` or `/order report 2026-11 csv`").
		Typed("You typed:", line).Message()
}

// Reasons that a report is missing or incomplete.
const (
	NeedsChannel    = "A report covers a channel's orders. Type `/order report` in that channel. For all channels, operators type `/order report account`"
	ChartNotYet     = "Slack needs more time for the chart. Ask again to see it."
	ChartUnsent     = "The chart could not be uploaded just now. Ask again to see it."
	FilesNotAllowed = "I lack the permission files:write, so there is no chart and no file. Your Darkroom admin can allow it."
	FileUnsent      = "The CSV file could not be sent just now. Ask again to get it."
	FileUnsure      = "Slack did not say if the CSV file arrived. If you do not find it in our direct messages, ask again."
)

// Denied says that this person may not read the report.
func Denied(channel string, why order.Denial) string {
	if why == order.DeniedNotMember {
		return "You are not a member of " + kit.ChannelLink(channel) + ". Join it to see its report."
	}
	return cards.OnlySees(why) + "read reports. Ask " + cards.FullMember(channel) + "."
}

// FileSent says where the file is.
func FileSent(orders int) string {
	return "The CSV file with " + kit.Count(orders, "order", "orders") + " is in our direct messages."
}

// FileComment stands above the file.
func FileComment(r View) string { return r.title() }
