package list

import (
	"context"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
)

// FindHelp is the help on `find`.
var FindHelp = cards.HelpRow{
	Verb: "find", Usage: "find words…", Does: "finds orders in all your channels",
	Example: `find "smith wedding"`,
	More: []string{
		"It searches all your channels and your own orders. Type a status, mine, or words of the project name, order code, ID or customer ID.",
	},
}

// Find answers with the matching orders of all the person's channels.
func (c *Handler) Find(ctx context.Context, r bot.Request) error {
	l := listing{Found: true, Channel: answer.OriginChannel(r)}.withFilters(filterWordsOf(kit.AsTyped(client.AsTyped(r.Args))))
	if !l.Mine && l.Status == "" && l.Words == nil {
		return c.answers.Send(ctx, r, cards.FindWhat())
	}
	return c.answerPage(ctx, r, l, c.answers.Send)
}
