package commands

import (
	"context"
	"strings"

	"github.com/agnivade/levenshtein"

	"darkroom/bot"
	"darkroom/cards"
)

var helpHelp = cards.HelpRow{
	Verb: "help", Usage: "help [verb]", Does: "says what I can do", Example: "help approve",
}

// help renders the table that routes.
func (c *Commands) help(ctx context.Context, r bot.Request) error {
	about, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(r.Args)), " ")
	if about == "" {
		return c.tell(ctx, r, cards.Help(Rows()))
	}
	if v, ok := c.verb(about); ok {
		return c.tell(ctx, r, cards.HelpFor(v.HelpRow))
	}
	return c.tell(ctx, r, cards.Suggest(about, c.nearest(about), ""))
}

// suggest answers a verb that does not exist with the nearest one that does. The line is
// shown again: it may hold a whole message.
func (c *Commands) suggest(ctx context.Context, r bot.Request) error {
	return c.tell(ctx, r, cards.Suggest(r.Verb, c.nearest(r.Verb), typedLine(r)))
}

// verb is the row of that name, if there is one.
func (c *Commands) verb(name string) (verb, bool) {
	for _, v := range c.verbs {
		if v.Verb == name {
			return v, true
		}
	}
	return verb{}, false
}

// nearest is the verb at most two typing mistakes away, or "".
func (c *Commands) nearest(typed string) string {
	best, mistakes := "", 3
	for _, v := range c.verbs {
		if n := levenshtein.ComputeDistance(typed, v.Verb); n < mistakes && n < len(v.Verb) {
			best, mistakes = v.Verb, n
		}
	}
	return best
}
