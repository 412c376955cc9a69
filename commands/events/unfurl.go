package events

import (
	"cmp"
	"context"

	"darkroom/bot"
	"darkroom/order"
	"darkroom/store"
)

// mostUnfurled is how many orders of one message are told of.
const mostUnfurled = 3

// unfurl answers a message that names orders by their references, where the channel wants it. Of other messages
// nothing is asked.
func (c *Messages) unfurl(ctx context.Context, r bot.Request, m MessageEvent) error {
	references := order.ReferencesIn(r.Text, mostUnfurled)
	if len(references) == 0 || !m.ByPerson() {
		return nil
	}
	settings, err := c.settings.Of(ctx, r.Team, r.Channel)
	if err != nil || !settings.Unfurl {
		return err
	}
	return c.announcements.PutUnfurl(ctx, store.UnfurlJob{
		Team: r.Team, Channel: r.Channel, Message: r.MessageTS, Thread: cmp.Or(r.Thread, r.MessageTS), References: references,
	})
}
