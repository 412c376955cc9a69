package settings

import (
	"cmp"
	"maps"
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

// approversSetting names the only people who may approve.
var approversSetting = people(fieldApprovers, "Who approves", "They are mentioned when photos are ready. If empty, any member approves.",
	func(d *store.Decides) *[]string { return &d.Approvers },
	func(now Values) string {
		asked := now.Decides.AskedOf()
		return kit.Either(len(asked) > 0, "Only "+kit.MentionAll(asked)+kit.Plural(len(asked), " approves.", " approve."), "Any member can approve.")
	})

// people names people for something.
func people(field, label, hint string, named func(d *store.Decides) *[]string, says func(now Values) string) setting {
	return setting{
		ask: func(p *kit.Page, now Values) {
			choose := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeUser, kit.PlainText("Choose people"), field)
			choose.InitialUsers = *named(&now.Decides)
			choose.MaxSelectedItems = new(MostNamed)
			p.Put(kit.Field(kit.BlockID(field, 0, 0), label, hint, choose).WithOptional(true))
		},
		read: readNamed(field, named, kit.IsUser, MostNamed),
		says: says,
	}
}

// readNamed reads the valid ids chosen in a field, at most so many. It keeps the value if the form did not ask.
func readNamed(field string, named func(d *store.Decides) *[]string, valid func(id string) bool, most int) func(slack.View, *Values) map[string]string {
	return func(view slack.View, now *Values) map[string]string {
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
	return kit.Beside(view, fieldApprovers, "Nothing was saved. Only the approvers and operators change this now.")
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

// groupsSetting names user groups. The form asks only if the workspace has groups or the setting names some.
func groupsSetting(field, label string, named func(d *store.Decides) *[]string, offered []UserGroup) setting {
	return setting{
		ask: func(p *kit.Page, now Values) {
			already := *named(&now.Decides)
			options := groupOptions(already, offered)
			if len(options) == 0 {
				return
			}
			choose := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, kit.PlainText("Choose groups"), field, options...)
			choose.InitialOptions = slices.Clip(options[:min(len(already), len(options))])
			choose.MaxSelectedItems = new(MostGroups)
			p.Put(kit.Field(kit.BlockID(field, 0, 0), label, "", choose).WithOptional(true))
		},
		read: readNamed(field, named, kit.IsGroup, MostGroups),
		says: func(Values) string { return "" }, // the people's setting says it
	}
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
		if at := slices.IndexFunc(groups, func(g UserGroup) bool { return g.ID == id }); at >= 0 {
			offer(groups[at])
		} else {
			offer(UserGroup{ID: id, Name: "Not listed by Slack: " + id})
		}
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

// mostCredits bounds a limit.
const mostCredits = 1_000_000_000

// spendersSetting names people who order without approval.
var spendersSetting = people(fieldSpenders, "Who orders without asking", "All others ask first. Empty: everybody.",
	func(d *store.Decides) *[]string { return &d.Spenders },
	func(now Values) string {
		free := slices.Concat(now.Decides.Spenders, now.Decides.SpenderGroups)
		return kit.OnlyIf(len(free) > 0, kit.MentionAll(free)+kit.Plural(len(free), " orders", " order")+" without asking.")
	})

// limitsSetting limits credits without approval.
var limitsSetting = setting{
	ask: func(p *kit.Page, now Values) {
		addLimit(p, fieldOrderLimit, "Credits for one order", "Beyond it, an approver is asked.", now.Decides.OrderLimit)
		addLimit(p, fieldMonthLimit, "Credits for a month", "", now.Decides.MonthLimit)
	},
	read: readLimits,
	says: func(now Values) string {
		d := now.Decides
		return kit.Either(d.Limited(), kit.Join(" ", limitSays("An order", d.OrderLimit), limitSays("A month", d.MonthLimit)), "No limits.")
	},
}

// accountLimitSetting limits credits without an operator, in all channels together.
var accountLimitSetting = setting{
	ask: func(p *kit.Page, now Values) {
		addLimit(p, fieldAllLimit, "Credits for a month", "All channels together. Orders beyond it ask an operator first. Empty: no limit.", now.Account.MonthLimit)
	},
	read: func(view slack.View, now *Values) map[string]string {
		return readLimit(view, fieldAllLimit, &now.Account.MonthLimit)
	},
	says: func(now Values) string {
		return kit.Either(now.Account.MonthLimit > 0, limitSays("A month", now.Account.MonthLimit), "No limit.")
	},
}

// limitSays says a limit; "": there is none.
func limitSays(of string, credits int) string {
	return kit.OnlyIf(credits > 0, of+" may cost "+kit.CreditsOf(credits)+".")
}

// addLimit adds an input for credits. 0 is empty.
func addLimit(p *kit.Page, field, label, hint string, now int) {
	box := kit.Input(field, kit.OnlyIf(now > 0, strconv.Itoa(now)), 40)
	p.Put(kit.Field(kit.BlockID(field, 0, 0), label, hint, box).WithOptional(true))
}

// readLimits reads the limits and requires an approver. It must come after the settings that name people.
func readLimits(view slack.View, now *Values) map[string]string {
	d := &now.Decides
	wrong := map[string]string{}
	maps.Copy(wrong, readLimit(view, fieldOrderLimit, &d.OrderLimit))
	maps.Copy(wrong, readLimit(view, fieldMonthLimit, &d.MonthLimit))
	if len(wrong) > 0 {
		return wrong
	}
	if len(d.AskedOf()) == 0 && (len(d.Spenders)+len(d.SpenderGroups) > 0 || d.Limited()) {
		return kit.Beside(view, fieldApprovers, "Name an approver: somebody must be asked.")
	}
	return nil
}

// readLimit reads one limit. It keeps the value if the form did not ask.
func readLimit(view slack.View, field string, limit *int) map[string]string {
	if len(kit.AnswersOf(view, field)) == 0 {
		return nil
	}
	n, err := strconv.Atoi(cmp.Or(strings.TrimSpace(kit.TextOf(view, field)), "0"))
	if err != nil || n < 0 || n > mostCredits {
		return kit.Beside(view, field, "Write whole credits, such as 50, or leave it empty.")
	}
	*limit = n
	return nil
}
