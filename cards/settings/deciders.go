package settings

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldApprovers = "approvers"

// MostNamed bounds how many people a setting names: a review mentions all of its approvers.
const MostNamed = 10

// approversPart names the only people who may approve.
var approversPart = peoplePart(fieldApprovers, "Who approves", "Only they approve, and they are mentioned when images are ready. Nobody named: every member approves.",
	func(d *store.Decides) *[]string { return &d.Approvers },
	func(now store.Settings) string {
		return kit.Prefixed("*Who approves*: only ", kit.MentionAll(now.Decides.AskedOf()))
	})

// peoplePart names people for something.
func peoplePart(field, label, hint string, named func(d *store.Decides) *[]string, says func(now store.Settings) string) part {
	return part{
		ask: func(p *kit.Page, now store.Settings) {
			choose := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeUser, kit.PlainText("Choose people"), field)
			choose.InitialUsers = *named(&now.Decides)
			choose.MaxSelectedItems = new(MostNamed)
			p.Put(kit.Field(kit.BlockID(field, 0, 0), label, hint, choose).WithOptional(true))
		},
		read:    readNamed(field, named, kit.IsUser, MostNamed),
		confirm: says,
	}
}

// readNamed reads the valid ids chosen in a field, at most so many. It keeps the value if the form did not ask.
func readNamed(field string, named func(d *store.Decides) *[]string, valid func(id string) bool, most int) func(slack.View, *store.Settings) map[string]string {
	return func(view slack.View, now *store.Settings) map[string]string {
		for _, answer := range kit.AnswersOf(view, field) {
			var ids []string
			for _, id := range kit.ChosenIn(answer.BlockAction) {
				if valid(id) && len(ids) < most {
					ids = append(ids, id)
				}
			}
			*named(&now.Decides) = ids
		}
		return nil
	}
}

// NotApprover says who may approve the channel's orders.
func NotApprover(channel string, approvers []string) string {
	return "In " + kit.ChannelLink(channel) + " only " + kit.MentionAll(approvers) + kit.Plural(len(approvers), " approves", " approve") +
		". Nothing was approved: ask " + kit.Plural(len(approvers), "them", "one of them") + ". Every member may still request changes."
}

// NotDecider returns a form error that says who may change approvers and limits.
func NotDecider(view slack.View) map[string]string {
	return kit.Beside(view, fieldApprovers, "Nothing was saved. Who approves, who orders without asking and the limits are set by "+
		"those named as approvers, and by operators. Put these back, or ask one of them.")
}

const (
	fieldApproverGroups = "approver-groups"
	fieldSpenderGroups  = "spender-groups"
)

const (
	// MostGroups bounds how many user groups a setting names: the app asks Slack about each.
	MostGroups = 5
	// mostGroupsOffered is Slack's limit for a select.
	mostGroupsOffered = 100
)

// UserGroup is a user group that settings can name.
type UserGroup struct{ ID, Name, Handle string }

// groupsPart names user groups. The form asks only if the workspace has groups or the setting names some.
func groupsPart(field, label, hint string, named func(d *store.Decides) *[]string, groups []UserGroup) part {
	return part{
		ask:     func(p *kit.Page, now store.Settings) { addGroups(p, field, label, hint, *named(&now.Decides), groups) },
		read:    readNamed(field, named, kit.IsGroup, MostGroups),
		confirm: func(store.Settings) string { return "" }, // the people's part confirms them
	}
}

func approverGroupsPart(groups []UserGroup) part {
	return groupsPart(fieldApproverGroups, "User groups that approve",
		"Whoever is in one when they approve may, besides those who are named above. The group is mentioned when images are ready.",
		func(d *store.Decides) *[]string { return &d.ApproverGroups }, groups)
}

func spenderGroupsPart(groups []UserGroup) part {
	return groupsPart(fieldSpenderGroups, "User groups that order without asking",
		"Whoever is in one when they order, besides those who are named above.",
		func(d *store.Decides) *[]string { return &d.SpenderGroups }, groups)
}

// addGroups adds a menu of user groups.
func addGroups(p *kit.Page, field, label, hint string, named []string, groups []UserGroup) {
	options := groupOptions(named, groups)
	if len(options) == 0 {
		return
	}
	choose := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, kit.PlainText("Choose user groups"), field, options...)
	choose.InitialOptions = options[:min(len(named), len(options)):len(options)]
	if len(named) == 0 {
		choose.InitialOptions = nil
	}
	choose.MaxSelectedItems = new(MostGroups)
	p.Put(kit.Field(kit.BlockID(field, 0, 0), label, hint, choose).WithOptional(true))
}

// groupOptions returns the named groups, even unknown ones, then as many others as Slack takes.
func groupOptions(named []string, groups []UserGroup) []*slack.OptionBlockObject {
	var options []*slack.OptionBlockObject
	offer := func(g UserGroup) {
		if kit.IsGroup(g.ID) && len(options) < mostGroupsOffered {
			options = append(options, kit.Option(g.ID, groupName(g), ""))
		}
	}
	for _, id := range named {
		known := slices.IndexFunc(groups, func(g UserGroup) bool { return g.ID == id })
		if known < 0 {
			offer(UserGroup{ID: id, Name: "Not listed by Slack: " + id})
			continue
		}
		offer(groups[known])
	}
	for _, g := range groups {
		if !slices.Contains(named, g.ID) {
			offer(g)
		}
	}
	return options
}

func groupName(g UserGroup) string {
	name := kit.Plain(kit.OneLine(cmp.Or(g.Name, g.Handle, g.ID)), 40)
	return name + kit.OnlyIf(g.Handle != "", " (@"+kit.Plain(kit.OneLine(g.Handle), 30)+")")
}

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
