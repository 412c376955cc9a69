package settings

import (
	"cmp"
	"slices"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Changed tells a channel what somebody changed that binds others. name returns a person's name, as safe text: nobody
// is called. It names no credits, since guests may read the channel.
func Changed(j store.SettingsJob, name func(user string) string) kit.Message {
	says := changes(j.Before, j.Now, func(people, groups []string) string {
		all := kit.Map(people, func(_ int, user string) string { return name(user) })
		if len(groups) > 0 {
			all = append(all, kit.Count(len(groups), "user group", "user groups"))
		}
		return kit.And(all)
	})
	m := kit.NewPage(kit.Cut(name(j.By)+" changed the settings: "+strings.Join(says, " "), kit.MaxSection)).Message()
	m.Metadata = &slack.SlackMetadata{EventType: cards.MetadataSettings, EventPayload: map[string]any{"edit": j.Edit}}
	return m
}

// Named returns the people whom [Changed] names.
func Named(j store.SettingsJob) []string {
	return slices.Concat([]string{j.By}, j.Now.Decides.Approvers, j.Now.Decides.Spenders)
}

// EditOf returns the edit that a message tells a channel of, or "". Anybody may write such metadata.
func EditOf(m slack.Message) string { return kit.MetadataText(m, cards.MetadataSettings, "edit") }

// changes returns the sentences of all changes. The first goes on after a colon.
func changes(before, now store.Settings, names func(people, groups []string) string) (all []string) {
	add := func(changed bool, says string) {
		if changed {
			all = append(all, kit.Either(len(all) > 0, kit.Capital(says), says))
		}
	}
	add(cmp.Or(now.Relay, store.RelayMentions) != cmp.Or(before.Relay, store.RelayMentions), kit.Either(now.Relay == store.RelayReplies,
		"every reply in an order's thread now goes to the editor. Begin a reply with `//` to keep it in Slack.",
		"only what is sent on purpose reaches the editor now."))
	add(cmp.Or(now.News, store.NewsChannel) != cmp.Or(before.News, store.NewsChannel), newsNow(now.News))
	was, is := before.Decides, now.Decides
	asked, free := is.AskedOf(), slices.Concat(is.Spenders, is.SpenderGroups)
	add(!slices.Equal(was.AskedOf(), asked), kit.Either(len(asked) == 0, "every member approves now.",
		"only "+names(is.Approvers, is.ApproverGroups)+kit.Plural(len(asked), " approves", " approve")+" now."))
	add(!slices.Equal(slices.Concat(was.Spenders, was.SpenderGroups), free), kit.Either(len(free) == 0, "every member orders without asking now.",
		"only "+names(is.Spenders, is.SpenderGroups)+kit.Plural(len(free), " orders", " order")+" without asking now, as approvers do."))
	add(was.OrderLimit != is.OrderLimit, limitNow("one order", was.OrderLimit, is.OrderLimit))
	add(was.MonthLimit != is.MonthLimit, limitNow("a month", was.MonthLimit, is.MonthLimit))
	return all
}

// newsNow says where news appears from now on.
func newsNow(news store.News) string {
	switch news {
	case store.NewsThread:
		return "updates stay in each order's thread now."
	case store.NewsDirect:
		return "updates come by direct message to the requester now."
	}
	return "updates that need somebody appear in the channel now."
}

// limitNow says how a limit changed, without its credits.
func limitNow(of string, was, is int) string {
	switch {
	case is == 0:
		return of + " has no credit limit now."
	case was == 0:
		return of + " has a credit limit now. Beyond it, an approver is asked first."
	}
	return "the credit limit for " + of + kit.Either(is > was, " is higher now.", " is lower now.")
}
