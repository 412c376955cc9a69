package cards

import (
	"cmp"
	"regexp"
	"slices"

	"darkroom/store"

	"github.com/slack-go/slack"
)

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

// isGroup knows the shape of the ids of user groups.
var isGroup = regexp.MustCompile(`^S[A-Z0-9]{1,30}$`).MatchString

// UserGroup is a user group of the workspace that can be named in a channel's settings.
type UserGroup struct{ ID, Name, Handle string }

// groupSettings name user groups for something. They are asked for where the workspace has any, or where some
// are named.
func groupSettings(field, label, hint string, named func(d *store.Decides) *[]string, groups []UserGroup) settingsPart {
	return settingsPart{
		ask: func(p *builder, now store.Settings) { p.groups(field, label, hint, *named(&now.Decides), groups) },
		read: func(view slack.View, now *store.Settings) map[string]string {
			if chosen, asked := groupsIn(view, field); asked {
				*named(&now.Decides) = chosen
			}
			return nil
		},
		says: func(store.Settings) string { return "" }, // they are said with the people
	}
}

func approverGroupSettings(groups []UserGroup) settingsPart {
	return groupSettings(fieldApproverGroups, "User groups that approve",
		"Whoever is in one when they approve may, besides those who are named above. The group is mentioned when images are ready.",
		func(d *store.Decides) *[]string { return &d.ApproverGroups }, groups)
}

func spenderGroupSettings(groups []UserGroup) settingsPart {
	return groupSettings(fieldSpenderGroups, "User groups that order without asking",
		"Whoever is in one when they order, besides those who are named above.",
		func(d *store.Decides) *[]string { return &d.SpenderGroups }, groups)
}

// groups lets user groups be chosen, or none.
func (p *builder) groups(field, label, hint string, named []string, groups []UserGroup) {
	options := groupOptions(named, groups)
	if len(options) == 0 {
		return
	}
	choose := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, plainText("Choose user groups"), field, options...)
	choose.InitialOptions = options[:min(len(named), len(options)):len(options)]
	if len(named) == 0 {
		choose.InitialOptions = nil
	}
	choose.MaxSelectedItems = new(MostGroups)
	block := ask(blockID(field, 0, 0), label, hint, choose)
	block.Optional = true
	p.put(block)
}

// groupOptions are those that are named, whatever became of them, and then as many of the others as Slack takes.
func groupOptions(named []string, groups []UserGroup) []*slack.OptionBlockObject {
	var options []*slack.OptionBlockObject
	offer := func(g UserGroup) {
		if isGroup(g.ID) && len(options) < mostGroupsOffered {
			options = append(options, slack.NewOptionBlockObject(g.ID, plainText(groupName(g)), nil))
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
	name := plain(oneLine(cmp.Or(g.Name, g.Handle, g.ID)), 40)
	if g.Handle != "" {
		name += " (@" + plain(oneLine(g.Handle), 30) + ")"
	}
	return name
}

// groupsIn are the user groups that were chosen in a submitted form, nil for none; asked tells whether the form asked.
func groupsIn(view slack.View, field string) (named []string, asked bool) {
	chosen := heldBy(view, field)
	if len(chosen) == 0 {
		return nil, false
	}
	for _, option := range chosen[0].SelectedOptions {
		if isGroup(option.Value) && len(named) < MostGroups {
			named = append(named, option.Value)
		}
	}
	return named, true
}
