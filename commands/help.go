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
		return c.jobs.Tell(ctx, r, cards.Help(c.helpRows()))
	}
	for _, v := range c.verbs {
		if v.Verb == about {
			return c.jobs.Tell(ctx, r, cards.HelpFor(v.HelpRow))
		}
	}
	return c.jobs.Tell(ctx, r, cards.Suggest(about, c.nearest(about), ""))
}

// suggest answers a verb that does not exist with the nearest one that does. The line is
// shown again: it may hold a whole message.
func (c *Commands) suggest(ctx context.Context, r bot.Request) error {
	return c.jobs.Tell(ctx, r, cards.Suggest(r.Verb, c.nearest(r.Verb), typedLine(r)))
}

func (c *Commands) helpRows() []cards.HelpRow {
	rows := make([]cards.HelpRow, len(c.verbs))
	for i, v := range c.verbs {
		rows[i] = v.HelpRow
	}
	return rows
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
