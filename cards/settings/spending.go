package settings

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const (
	fieldSpenders   = "spenders"
	fieldOrderLimit = "order-limit"
	fieldMonthLimit = "month-limit"
	fieldAllLimit   = "account-limit" // all channels together
)

// accountFields are the fields of operators.
var accountFields = []string{fieldCredits, fieldAllLimit}

// mostCredits bounds a limit.
const mostCredits = 1_000_000_000

// spendersPart names people who order without approval.
var spendersPart = peoplePart(fieldSpenders, "Who orders without asking", "An approver is asked about all other people's orders. Nobody named: every member.",
	func(d *store.Decides) *[]string { return &d.Spenders },
	func(store.Settings) string { return "" }) // the limits' part confirms it

// limitsPart limits credits without approval.
var limitsPart = part{
	ask: func(p *kit.Page, now store.Settings) {
		addLimit(p, fieldOrderLimit, "Credits for one order", "An approver is asked about an order that seems to cost more. Empty: no limit.", now.Decides.OrderLimit)
		addLimit(p, fieldMonthLimit, "Credits for a month", "An approver is asked before this channel's orders of a month cost more. Orders that moved away still count; canceled ones do not. Empty: no limit.", now.Decides.MonthLimit)
	},
	read: readLimits,
	confirm: func(now store.Settings) string {
		d := now.Decides
		return kit.Join("\n", kit.Prefixed("*Who orders without asking*: ", kit.MentionAll(slices.Concat(d.Spenders, d.SpenderGroups))),
			kit.OnlyIf(d.OrderLimit > 0, "*One order* over "+kit.CreditsOf(d.OrderLimit)+" is asked of an approver."),
			kit.OnlyIf(d.MonthLimit > 0, "*A month* over "+kit.CreditsOf(d.MonthLimit)+" is asked of an approver."))
	},
}

// addLimit adds an input for credits. 0 is empty.
func addLimit(p *kit.Page, field, label, hint string, now int) {
	box := kit.Input(field, kit.OnlyIf(now > 0, strconv.Itoa(now)), 40)
	p.Put(kit.Field(kit.BlockID(field, 0, 0), label, hint, box).WithOptional(true))
}

// readLimits reads the limits and requires an approver. It must come after the parts that name people.
func readLimits(view slack.View, now *store.Settings) map[string]string {
	d := &now.Decides
	for field, limit := range map[string]*int{fieldOrderLimit: &d.OrderLimit, fieldMonthLimit: &d.MonthLimit} {
		if wrong := readLimit(view, field, limit); wrong != nil {
			return wrong
		}
	}
	if len(d.AskedOf()) == 0 && (len(d.Spenders)+len(d.SpenderGroups) > 0 || d.Limited()) {
		return kit.Beside(view, fieldApprovers, "Name who is asked: a limit, or who orders without asking, needs an approver.")
	}
	return nil
}

// readLimit reads one limit. It keeps the value if the form did not ask.
func readLimit(view slack.View, field string, limit *int) map[string]string {
	if len(kit.AnswersOf(view, field)) == 0 {
		return nil
	}
	n, ok := limitIn(kit.TextOf(view, field))
	if !ok {
		return kit.Beside(view, field, "Write whole credits, such as 50, or leave it empty.")
	}
	*limit = n
	return nil
}

// limitIn parses whole credits. Empty text is 0.
func limitIn(text string) (int, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= mostCredits
}
