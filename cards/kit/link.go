package kit

import (
	"cmp"
	"regexp"
	"strings"

	"darkroom/order"
)

// MentionAll mentions users and user groups in a sentence: "A, B and C".
func MentionAll(who []string) string {
	all := make([]string, len(who))
	for i, id := range who {
		all[i] = Mention(id)
		if IsGroup(id) {
			all[i] = "<!subteam^" + id + ">"
		}
	}
	return And(all)
}

// And joins words in a sentence: "A, B and C".
func And(all []string) string {
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return strings.Join(all, "")
}

// IsGroup reports whether s is a user group id.
var IsGroup = regexp.MustCompile(`^S[A-Z0-9]{1,30}$`).MatchString

// Only strings of these shapes may stand between < and > in a message.
var (
	IsUser    = regexp.MustCompile(`^[UW][A-Z0-9]{1,30}$`).MatchString
	IsChannel = regexp.MustCompile(`^[CG][A-Z0-9]{1,30}$`).MatchString
)

// Mention mentions a user. It escapes text that is not a user id.
func Mention(user string) string {
	if IsUser(user) {
		return "<@" + user + ">"
	}
	return Inline(user, 80)
}

// Subject mentions a user at the beginning of a sentence.
func Subject(user string) string { return Names(nil).Subject(user) }

// Notify mentions a user who should look. It returns "" without a user id, as for people who left.
func Notify(user string) string { return OnlyIf(IsUser(user), Mention(user)) }

// ChannelLink links to a channel. It escapes text that is not a channel id.
func ChannelLink(channel string) string {
	if IsChannel(channel) {
		return "<#" + channel + ">"
	}
	if channel == "" {
		return "the channel"
	}
	return Inline(channel, 80)
}

// Names are display names by user id, for messages in a channel: there a mention calls somebody, so it is only
// for who must act. Without names, in windows, people are mentioned.
type Names map[string]string

// Unnamed stands for a person whose name Slack did not tell.
const Unnamed = "a member"

// Person names a user.
func (n Names) Person(user string) string {
	if n == nil || !IsUser(user) {
		return Mention(user)
	}
	return Inline(cmp.Or(n[user], Unnamed), 80)
}

// Subject names a user at the beginning of a sentence.
func (n Names) Subject(user string) string {
	name := n.Person(user)
	return Either(name == order.FormerPerson || name == Unnamed, Capital(name), name)
}

// By names an actor: "by Maria". An unknown actor acted outside Slack: "elsewhere".
func (n Names) By(actor string) string {
	return Either(actor == "", "elsewhere", "by "+n.Person(actor))
}

// By mentions an actor: "by @maria".
func By(actor string) string { return Names(nil).By(actor) }

// inAddress escapes the signs that end a URL in a message.
var inAddress = strings.NewReplacer("&", "&amp;", "<", "%3C", ">", "%3E", "|", "%7C")

// Link returns a link to an address that somebody gave. It returns only the label if the address is invalid or
// too long.
func Link(address, label string) string {
	safe := inAddress.Replace(address)
	if !order.WebAddress(address) || Units(safe) > MaxURL {
		return label
	}
	return "<" + safe + "|" + strings.ReplaceAll(inLabel.Replace(label), "|", "¦") + ">"
}
