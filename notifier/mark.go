package notifier

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/store"
	"darkroom/store/queue"
)

// mark handles a job of the kind [store.MarkKind]: an emoji on a person's message that
// tells whether it reached the editor. A message that is gone, or a channel out of reach,
// needs none.
func (a *Announcer) mark(ctx context.Context, _ *queue.Delivery, m store.Mark) error {
	err := a.slack.React(ctx, m.Channel, m.TS, m.Emoji)
	if _, out := outOfReach(err); out || errors.Is(err, bot.ErrGone) {
		a.log.InfoContext(ctx, "message not marked", "channel", m.Channel, "ts", m.TS, "err", err)
		return nil
	}
	return a.postponed(ctx, err)
}
