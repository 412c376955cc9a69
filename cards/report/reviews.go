package report

import (
	"cmp"
	"strconv"

	"darkroom/cards/kit"
	"darkroom/order"
)

// reviewFacts returns the figures of all reviews of the report.
func reviewFacts(f order.Figures) []kit.Fact {
	return []kit.Fact{
		{Name: "Approved in round 1", Value: cmp.Or(firstRound(f), "none yet")},
		{Name: "Rounds until approval", Value: kit.OnlyIf(f.Approvals > 0, medianRound(f)+" (median)")},
		{Name: "Decided on first delivery", Value: spread(f.Decided)},
		{Name: "Photos with findings", Value: cmp.Or(withFindings(f), "–")},
	}
}

// reviewLine returns a group's figures in one line.
func (r View) reviewLine(f order.Figures) string {
	return kit.Dots(kit.Count(f.Orders, "order", "orders"), kit.Count(f.Images, "photo", "photos"), kit.OnlyIf(r.Money, kit.CreditCount(f.Credits)),
		r.approvals(f),
		kit.Prefixed("first delivery ", kit.OnlyIf(f.Ready.Count > 0, duration(f.Ready.Median))),
		kit.Prefixed("decided after ", kit.OnlyIf(f.Decided.Count > 0, duration(f.Decided.Median))),
		kit.Prefixed("photos with findings: ", withFindings(f)))
}

// withFindings returns the share of inspected photos that had findings: "3 of 40 (8%)"; "" if none was inspected.
func withFindings(f order.Figures) string { return share(f.Inspected.Faulty, f.Inspected.Photos) }

// approvals says how many orders of a group were approved, and after how many rounds; "" without any.
func (r View) approvals(f order.Figures) string {
	switch {
	case f.Approvals == 0:
		return ""
	case r.By == order.ByRound:
		return strconv.Itoa(f.Approvals) + " approved"
	}
	return kit.Dots("approved in round 1: "+firstRound(f), "median "+medianRound(f))
}

// addReviewNotes says what the figures of reviews count.
func addReviewNotes(p *kit.Page, r View) {
	if !r.By.OfReviews() || r.Total.Orders == 0 {
		return
	}
	p.Note("Times of groups are medians. A decision is an approval or a request for changes.")
	p.Note(kit.OnlyIf(r.Total.Inspected.Photos > 0, "Photos with findings were not as ordered when I checked them. I count the first delivery of each round, without photos that were not checked."))
	p.Note(kit.OnlyIf(r.Total.Unknown > 0, kit.Count(r.Total.Unknown, "order has", "orders have")+" a decision whose round or times I do not know. Shares and medians leave "+kit.Plural(r.Total.Unknown, "it", "them")+" out."))
}

// firstRound returns the share of approved orders that needed one round: "2 of 3 (67%)"; "" without approved orders.
func firstRound(f order.Figures) string { return share(f.First, f.Approvals) }

// share returns a share of all: "2 of 3 (67%)"; "" of none.
func share(some, all int) string {
	if all == 0 {
		return ""
	}
	percent := (200*some + all) / (2 * all) // rounded
	return strconv.Itoa(some) + " of " + strconv.Itoa(all) + " (" + strconv.Itoa(percent) + "%)"
}

// medianRound returns the median number of rounds: "1 round", "1.5 rounds".
func medianRound(f order.Figures) string {
	return strconv.FormatFloat(f.MedianRound, 'f', -1, 64) + kit.Either(f.MedianRound == 1, " round", " rounds")
}

// roundName returns the title of a group of one round.
func roundName(name string) string {
	switch name {
	case order.NoRound:
		return "Being edited, paused or canceled"
	case order.UnknownRound:
		return "Round not known"
	}
	return "Round " + kit.Inline(name, 20)
}
