package resolve

import (
	"context"
	"strings"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// suggestTime bounds a suggestion: Slack waits three seconds, and asks at every letter.
const suggestTime = 2 * time.Second

// Suggest answers a picker's external select with the matching orders, on the ack path. Orders not found in time are
// left out.
func (c *Finder) Suggest(ctx context.Context, r bot.Request) (bot.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, suggestTime)
	defer cancel()
	verb := strings.TrimPrefix(r.Name, cards.ActionPick)
	words := strings.Fields(r.Value)
	fits := offers(verb)
	orders, err := c.candidates(ctx, r, func(t store.Tracked) bool { return fits(t) && Matches(t, words) })
	if err != nil {
		c.log.WarnContext(ctx, "not all orders suggested", "verb", verb, "user", r.User, "err", err)
	}
	return bot.Suggest(cards.Choices(orders)...), nil
}

// NothingToPick returns the reason that a form's order picker would be empty, or "".
func (c *Finder) NothingToPick(ctx context.Context, r bot.Request, verb string) (string, error) {
	orders, err := c.candidates(ctx, r, offers(verb))
	if err != nil || len(cards.Choices(orders)) > 0 {
		return "", err
	}
	return cards.NothingFits(verb, len(orders)), nil
}

// Matches reports whether an order's project name, reference, id or customer id contain all words.
func Matches(t store.Tracked, words []string) bool {
	names := strings.ToLower(strings.Join([]string{t.Order.ProjectName, t.Reference, t.ID, t.CustomerID()}, "\n"))
	for _, word := range words {
		if !strings.Contains(names, strings.ToLower(strings.Trim(word, NameMarks))) {
			return false
		}
	}
	return true
}
