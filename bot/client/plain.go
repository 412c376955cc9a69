package client

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/slack-go/slack"
)

// named tells what an id in a text stands for, a person's behind '@' or a channel's behind
// '#'; "" is one that nobody knows, or that may not be told.
type named func(mark byte, id string) string

// construct is what Slack writes between < and >: a mention, a channel, a group, a date
// or an address. Anything else between them was typed.
var construct = regexp.MustCompile(`<([@#][A-Z0-9]+|![a-z_]+(?:\^[^<>|]*)?|[A-Za-z][A-Za-z0-9+.-]*:[^<>|\s]+)(\|[^<>]*)?>`)

var entities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">")

// AsTyped is what somebody typed, for them to copy: with the names that Slack sent along;
// it is not asked for others.
func AsTyped(text string) string {
	return plainWords(text, func(byte, string) string { return "" })
}

// plainWords turns Slack's markup into the words a person saw: names for mentions,
// labels with their addresses, and no entities. Nothing else is touched.
func plainWords(text string, n named) string {
	for before := ""; before != text; { // each round leaves fewer brackets
		before = text
		text = construct.ReplaceAllStringFunc(text, n.words)
	}
	return entities.Replace(text)
}

// words are those of one construct. They have no brackets: a name can hold none.
func (n named) words(construct string) string {
	what, label, _ := strings.Cut(construct[1:len(construct)-1], "|")
	switch what[0] {
	case '@':
		return "@" + cmp.Or(bare(n('@', what[1:])), strings.TrimPrefix(label, "@"), "someone")
	case '#':
		return "#" + cmp.Or(strings.TrimPrefix(label, "#"), bare(n('#', what[1:])), "private-channel")
	case '!':
		return special(what[1:], label)
	}
	return address(what, label)
}

// special is <!here>, a group or a date: what its label says, when it has one.
func special(what, label string) string {
	name, _, parts := strings.Cut(what, "^")
	switch {
	case !parts:
		return "@" + name
	case label != "":
		return label
	case name == "subteam":
		return "@group"
	}
	return name
}

// address is a link: its label and where it leads, once when both are the same.
func address(url, label string) string {
	scheme, rest, _ := strings.Cut(url, ":")
	switch {
	case scheme == "mailto", scheme == "tel":
		return cmp.Or(label, rest)
	case label == "" || label == url:
		return url
	case label == strings.TrimPrefix(rest, "//"): // Slack made a link of what was typed
		return label
	}
	return label + " (" + url + ")"
}

var brackets = strings.NewReplacer("<", "", ">", "")

func bare(name string) string { return brackets.Replace(name) }

// Namer tells what ids stand for; [Slack] is one.
type Namer interface {
	User(ctx context.Context, id string) (slack.User, error)
	Channel(ctx context.Context, id string) (slack.Channel, error)
}

// Plain is what somebody wrote in Slack in plain words, every name in it asked of Slack: names
// for mentions, labels with their addresses, no entities. It fails only while Slack is away: the
// same text must become the same words.
func Plain(ctx context.Context, names Namer, text string) (string, error) {
	var away error
	words := plainWords(text, func(mark byte, id string) string {
		name := userName
		if mark == '#' {
			name = channelName
		}
		found, err := name(ctx, names, id)
		if err != nil && Outage(err) {
			away = errors.Join(away, err)
		}
		return found
	})
	return words, away
}

func userName(ctx context.Context, names Namer, id string) (string, error) {
	user, err := names.User(ctx, id)
	return cmp.Or(user.RealName, user.Profile.RealName, user.Profile.DisplayName, user.Name), err
}

// channelName does not tell that of a private channel.
func channelName(ctx context.Context, names Namer, id string) (string, error) {
	channel, err := names.Channel(ctx, id)
	if errors.Is(err, ErrNoChannel) || channel.IsPrivate || channel.IsIM || channel.IsMpIM {
		return "", nil
	}
	return channel.Name, err
}
