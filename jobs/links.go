package jobs

import (
	"context"

	"darkroom/cards"
)

// Links makes links to messages of this workspace; none while Slack does not say where it is.
func (j *Jobs) Links(ctx context.Context) cards.Links {
	me, err := j.slack.Identity(ctx)
	if err != nil {
		j.log.DebugContext(ctx, "no links to messages", "err", err)
	}
	return cards.Links(me.URL)
}
