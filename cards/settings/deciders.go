package settings

import (
	"cmp"
	"slices"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldApprovers = "approvers"

// MostNamed bounds how many people are named for one thing: a review mentions all of its approvers.
const MostNamed = 10

// approversPart say who alone may approve.
var approversPart = part{
	ask: func(p *kit.Page, now store.Settings) {
		addPeople(p, fieldApprovers, "Who approves", "Only they approve, and they are mentioned when images are ready. Nobody named: every member approves.", now.Decides.Approvers)
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		if named, asked := peopleIn(view, fieldApprovers); asked {
			now.Decides.Approvers = named
		}
		return nil
	},
	says: func(now store.Settings) string {
		return kit.Prefixed("*Who approves*: only ", kit.MentionAll(now.Decides.AskedOf()))
	},
}

// addPeople lets people be chosen, or nobody.
func addPeople(p *kit.Page, field, label, hint string, named []string) {
	choose := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeUser, kit.PlainText("Choose people"), field)
	choose.InitialUsers = named
	choose.MaxSelectedItems = new(MostNamed)
	block := kit.Field(kit.BlockID(field, 0, 0), label, hint, choose)
	block.Optional = true
	p.Put(block)
}

// peopleIn are the people who were chosen in a submitted form, nil for nobody; asked tells whether the form asked.
func peopleIn(view slack.View, field string) (named []string, asked bool) {
	chosen := kit.AnswersOf(view, field)
	if len(chosen) == 0 {
		return nil, false
	}
	for _, user := range chosen[0].SelectedUsers {
		if kit.IsUser(user) && len(named) < MostNamed {
			named = append(named, user)
		}
	}
	return named, true
}

// NotApprover says who alone may approve the orders of the channel.
func NotApprover(channel string, approvers []string) string {
	return "In " + kit.ChannelLink(channel) + " only " + kit.MentionAll(approvers) + kit.Plural(len(approvers), " approves", " approve") +
		". Nothing was approved: ask " + kit.Plural(len(approvers), "them", "one of them") + ". Every member may still request changes."
}

// NotDecider says who alone may change who decides about the channel's orders.
func NotDecider(view slack.View) map[string]string {
	return kit.Beside(view, fieldApprovers, "Nothing was saved. Who approves, who orders without asking and the limits are set by "+
		"those named as approvers, and by operators. Put these back, or ask one of them.")
}

const (
	fieldApproverGroups = "approver-groups"
	fieldSpenderGroups  = "spender-groups"
)

const (
	// MostGroups bounds how many user groups are named for one thing: Slack is asked about each of them.
	MostGroups = 5
	// mostGroupsOffered is how many options Slack takes in one select.
	mostGroupsOffered = 100
)

// UserGroup is a user group of the workspace that can be named in a channel's settings.
type UserGroup struct{ ID, Name, Handle string }

// groupsPart name user groups for something. They are asked for where the workspace has any, or where some
// are named.
func groupsPart(field, label, hint string, named func(d *store.Decides) *[]string, groups []UserGroup) part {
	return part{
		ask: func(p *kit.Page, now store.Settings) { addGroups(p, field, label, hint, *named(&now.Decides), groups) },
		read: func(view slack.View, now *store.Settings) map[string]string {
			if chosen, asked := groupsIn(view, field); asked {
				*named(&now.Decides) = chosen
			}
			return nil
		},
		says: func(store.Settings) string { return "" }, // they are said with the people
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

// addGroups lets user groups be chosen, or none.
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
	block := kit.Field(kit.BlockID(field, 0, 0), label, hint, choose)
	block.Optional = true
	p.Put(block)
}

// groupOptions are those that are named, whatever became of them, and then as many of the others as Slack takes.
func groupOptions(named []string, groups []UserGroup) []*slack.OptionBlockObject {
	var options []*slack.OptionBlockObject
	offer := func(g UserGroup) {
		if kit.IsGroup(g.ID) && len(options) < mostGroupsOffered {
			options = append(options, slack.NewOptionBlockObject(g.ID, kit.PlainText(groupName(g)), nil))
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
	if g.Handle != "" {
		name += " (@" + kit.Plain(kit.OneLine(g.Handle), 30) + ")"
	}
	return name
}

// groupsIn are the user groups that were chosen in a submitted form, nil for none; asked tells whether the form asked.
func groupsIn(view slack.View, field string) (named []string, asked bool) {
	chosen := kit.AnswersOf(view, field)
	if len(chosen) == 0 {
		return nil, false
	}
	for _, option := range chosen[0].SelectedOptions {
		if kit.IsGroup(option.Value) && len(named) < MostGroups {
			named = append(named, option.Value)
		}
	}
	return named, true
}
