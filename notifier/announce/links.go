package announce

import (
	"context"
	"log/slog"

	"darkroom/cards"
)

// links makes links to messages of this workspace; none while Slack does not say where it is.
func linksTo(ctx context.Context, slack identifier, log *slog.Logger) cards.Links {
	me, err := slack.Identity(ctx)
	if err != nil {
		log.DebugContext(ctx, "no links to messages", "err", err)
	}
	return cards.Links(me.URL)
}
