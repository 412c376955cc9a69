package cards

import (
	"strconv"
	"strings"

	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

const (
	fieldSpenders   = "spenders"
	fieldOrderLimit = "order-limit"
	fieldMonthLimit = "month-limit"
)

// mostCredits bounds a limit.
const mostCredits = 1_000_000_000

// spendingSettings say who orders without being asked about, and what an approver is asked about.
var spendingSettings = settingsPart{
	ask: func(p *builder, now store.Settings) {
		p.people(fieldSpenders, "Who orders without asking", "An approver is asked about all other people's orders. Nobody named: every member.", now.Decides.Spenders)
		p.limit(fieldOrderLimit, "Credits for one order", "An approver is asked about an order that seems to cost more. Empty: no limit.", now.Decides.OrderLimit)
		p.limit(fieldMonthLimit, "Credits for a month", "An approver is asked about an order with which a month's would cost more. Empty: no limit.", now.Decides.MonthLimit)
	},
	read: readSpending,
	says: func(now store.Settings) string {
		d := now.Decides
		return joined("\n", led("*Who orders without asking*: ", mentions(d.Spenders)),
			onlyIf(d.OrderLimit > 0, "*One order* over "+creditsOf(d.OrderLimit)+" is asked of an approver."),
			onlyIf(d.MonthLimit > 0, "*A month* over "+creditsOf(d.MonthLimit)+" is asked of an approver."))
	},
}

func creditsOf(n int) string { return credits(decimal.NewFromInt(int64(n))) }

// limit asks for credits; 0 is an empty field.
func (p *builder) limit(field, label, hint string, now int) {
	box := slack.NewPlainTextInputBlockElement(nil, field)
	box.MaxLength = 40
	box.InitialValue = onlyIf(now > 0, strconv.Itoa(now))
	block := ask(blockID(field, 0, 0), label, hint, box)
	block.Optional = true
	p.put(block)
}

func readSpending(view slack.View, now *store.Settings) map[string]string {
	d := &now.Decides
	if named, asked := peopleIn(view, fieldSpenders); asked {
		d.Spenders = named
	}
	for field, limit := range map[string]*int{fieldOrderLimit: &d.OrderLimit, fieldMonthLimit: &d.MonthLimit} {
		if len(heldBy(view, field)) == 0 {
			continue
		}
		n, ok := limitIn(textOf(view, field))
		if !ok {
			return beside(view, field, "Write whole credits, such as 50, or leave it empty.")
		}
		*limit = n
	}
	if len(d.Approvers) == 0 && (len(d.Spenders) > 0 || d.OrderLimit > 0 || d.MonthLimit > 0) {
		return beside(view, fieldApprovers, "Name who is asked: a limit, or who orders without asking, needs an approver.")
	}
	return nil
}

// limitIn reads credits; nothing is 0.
func limitIn(text string) (int, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= mostCredits
}
