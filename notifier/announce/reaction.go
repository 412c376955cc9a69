package announce

import (
	"context"
	"errors"
	"log/slog"

	"darkroom/bot/client"
	"darkroom/store"
	"darkroom/store/queue"
)

type reactor interface {
	React(ctx context.Context, channel, ts, emoji string) error
}

// reaction adds reactions to people's messages.
type reaction struct {
	slack reactor
	log   *slog.Logger
}

// handle does a [store.MarkKind] job: a reaction shows whether a message reached the editor. It ignores a
// message that is gone or in a channel out of reach.
func (h *reaction) handle(ctx context.Context, _ *queue.Delivery, m store.Mark) error {
	err := h.slack.React(ctx, m.Channel, m.TS, m.Emoji)
	if _, out := outOfReach(err); out || errors.Is(err, client.ErrGone) {
		h.log.InfoContext(ctx, "message not marked", "channel", m.Channel, "ts", m.TS, "err", err)
		return nil
	}
	return postponed(ctx, h.log, err)
}
