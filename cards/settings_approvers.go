package cards

import (
	"strings"

	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldApprovers = "approvers"

// MostNamed bounds how many people are named for one thing: a review mentions all of its approvers.
const MostNamed = 10

// approverSettings say who alone may approve.
var approverSettings = settingsPart{
	ask: func(p *builder, now store.Settings) {
		p.people(fieldApprovers, "Who approves", "Only they approve, and they are mentioned when images are ready. Nobody named: every member approves.", now.Decides.Approvers)
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		if named, asked := peopleIn(view, fieldApprovers); asked {
			now.Decides.Approvers = named
		}
		return nil
	},
	says: func(now store.Settings) string {
		return led("*Who approves*: only ", mentions(now.Decides.AskedOf()))
	},
}

// people lets people be chosen, or nobody.
func (p *builder) people(field, label, hint string, named []string) {
	choose := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeUser, plainText("Choose people"), field)
	choose.InitialUsers = named
	choose.MaxSelectedItems = new(MostNamed)
	block := ask(blockID(field, 0, 0), label, hint, choose)
	block.Optional = true
	p.put(block)
}

// peopleIn are the people who were chosen in a submitted form, nil for nobody; asked tells whether the form asked.
func peopleIn(view slack.View, field string) (named []string, asked bool) {
	chosen := heldBy(view, field)
	if len(chosen) == 0 {
		return nil, false
	}
	for _, user := range chosen[0].SelectedUsers {
		if isUser(user) && len(named) < MostNamed {
			named = append(named, user)
		}
	}
	return named, true
}

// mentions are several people and user groups in a row; "" of nobody.
func mentions(who []string) string {
	all := make([]string, len(who))
	for i, id := range who {
		all[i] = mention(id)
		if isGroup(id) {
			all[i] = "<!subteam^" + id + ">"
		}
	}
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return strings.Join(all, "")
}

// NotApprover says who alone may approve the orders of the channel.
func NotApprover(channel string, approvers []string) string {
	return "In " + channelLink(channel) + " only " + mentions(approvers) + plural(len(approvers), " approves", " approve") +
		". Nothing was approved: ask " + plural(len(approvers), "them", "one of them") + ". Every member may still request changes."
}

// NotDecider says who alone may change who decides about the channel's orders.
func NotDecider(view slack.View) map[string]string {
	return beside(view, fieldApprovers, "Nothing was saved. Who approves, who orders without asking and the limits are set by "+
		"those named as approvers, and by operators. Put these back, or ask one of them.")
}
