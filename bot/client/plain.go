package client

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/slack-go/slack"
)

// nameOf returns the name for an id of a person (mark '@') or channel ('#'), or "" if it is unknown or
// private.
type nameOf func(mark byte, id string) string

// construct matches Slack's markup between < and >: a mention, channel, group, date or address. Anything
// else was typed.
var construct = regexp.MustCompile(`<([@#][A-Z0-9]+|![a-z_]+(?:\^[^<>|]*)?|[A-Za-z][A-Za-z0-9+.-]*:[^<>|\s]+)(\|[^<>]*)?>`)

var entities = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">")

// AsTyped converts Slack's markup back to text for copying. It uses only names that are in the markup and
// does not call Slack.
func AsTyped(text string) string {
	return plainText(text, func(byte, string) string { return "" })
}

// plainText converts Slack's markup to plain text: names for mentions, labels with their addresses, and
// no entities.
func plainText(text string, n nameOf) string {
	for before := ""; before != text; { // each round removes brackets
		before = text
		text = construct.ReplaceAllStringFunc(text, n.text)
	}
	return entities.Replace(text)
}

// text converts one construct. The result has no brackets.
func (n nameOf) text(construct string) string {
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

// special converts <!here>, a group or a date. It prefers the label.
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

// address converts a link to its label and URL, or to one of them if both are the same.
func address(url, label string) string {
	scheme, rest, _ := strings.Cut(url, ":")
	switch {
	case scheme == "mailto", scheme == "tel":
		return cmp.Or(label, rest)
	case label == "" || label == url:
		return url
	case label == strings.TrimPrefix(rest, "//"): // Slack linked a typed address
		return label
	}
	return label + " (" + url + ")"
}

var brackets = strings.NewReplacer("<", "", ">", "")

func bare(name string) string { return brackets.Replace(name) }

// Namer looks up persons and channels; [People] implements it.
type Namer interface {
	User(ctx context.Context, id string) (slack.User, error)
	Channel(ctx context.Context, id string) (slack.Channel, error)
}

// Plain converts Slack's markup to plain text like [AsTyped], but looks up all names. It fails only during
// an outage of Slack, because the same text must always give the same result.
func Plain(ctx context.Context, names Namer, text string) (string, error) {
	var outage error
	plain := plainText(text, func(mark byte, id string) string {
		name := userName
		if mark == '#' {
			name = channelName
		}
		found, err := name(ctx, names, id)
		if err != nil && Outage(err) {
			outage = errors.Join(outage, err)
		}
		return found
	})
	return plain, outage
}

func userName(ctx context.Context, names Namer, id string) (string, error) {
	user, err := names.User(ctx, id)
	return cmp.Or(user.RealName, user.Profile.RealName, user.Profile.DisplayName, user.Name), err
}

// channelName returns "" for a private channel.
func channelName(ctx context.Context, names Namer, id string) (string, error) {
	channel, err := names.Channel(ctx, id)
	if errors.Is(err, ErrNoChannel) || channel.IsPrivate || channel.IsIM || channel.IsMpIM {
		return "", nil
	}
	return channel.Name, err
}
