package kit

import (
	"regexp"
	"strings"

	"darkroom/order"
)

// MentionAll are several people and user groups in a row; "" of nobody.
func MentionAll(who []string) string {
	all := make([]string, len(who))
	for i, id := range who {
		all[i] = Mention(id)
		if IsGroup(id) {
			all[i] = "<!subteam^" + id + ">"
		}
	}
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return strings.Join(all, "")
}

// IsGroup knows the shape of the ids of user groups.
var IsGroup = regexp.MustCompile(`^S[A-Z0-9]{1,30}$`).MatchString

// isUser and isChannel know the shape of Slack's ids: only such a thing may
// stand between < and >.
var (
	IsUser    = regexp.MustCompile(`^[UW][A-Z0-9]{1,30}$`).MatchString
	IsChannel = regexp.MustCompile(`^[CG][A-Z0-9]{1,30}$`).MatchString
)

// Mention mentions a user; text that is no user id stays text.
func Mention(user string) string {
	if IsUser(user) {
		return "<@" + user + ">"
	}
	return Inline(user, 80)
}

// Subject is who did something, at the beginning of a sentence.
func Subject(user string) string {
	if user == order.FormerPerson {
		return Capital(user)
	}
	return Mention(user)
}

// Notify is the mention of somebody who is to look; "" of nobody, and of one who left.
func Notify(user string) string { return OnlyIf(IsUser(user), Mention(user)) }

// ChannelLink links to a channel; text that is no channel id stays text.
func ChannelLink(channel string) string {
	if IsChannel(channel) {
		return "<#" + channel + ">"
	}
	if channel == "" {
		return "the channel"
	}
	return Inline(channel, 80)
}

// By names who did it; nobody we know means it was done elsewhere.
func By(actor string) string {
	if actor == "" {
		return "elsewhere"
	}
	return "by " + Mention(actor)
}
