package announce

import (
	"context"

	"darkroom/cards"
)

// links makes links to messages of this workspace; none while Slack does not say where it is.
func (a *Announcer) links(ctx context.Context) cards.Links {
	me, err := a.Slack.Identity(ctx)
	if err != nil {
		a.Log.DebugContext(ctx, "no links to messages", "err", err)
	}
	return cards.Links(me.URL)
}
