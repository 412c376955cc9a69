package events

import (
	"cmp"
	"context"

	"darkroom/bot"
	"darkroom/order"
	"darkroom/store"
)

// maxUnfurled is the number of orders that one message unfurls.
const maxUnfurled = 3

// unfurl answers a message that names orders by reference, if the channel's settings want it. A message without
// references costs no read.
func (c *Messages) unfurl(ctx context.Context, r bot.Request, m MessageEvent) error {
	references := order.ReferencesIn(r.Text, maxUnfurled)
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
