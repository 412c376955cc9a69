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

// mark puts an emoji on a person's message.
type mark struct {
	slack reactor
	log   *slog.Logger
}

// handle does a job of the kind [store.MarkKind]: it puts an emoji on a person's message that tells whether it reached
// the editor. A message that is gone, or in a channel out of reach, needs none.
func (h *mark) handle(ctx context.Context, _ *queue.Delivery, m store.Mark) error {
	err := h.slack.React(ctx, m.Channel, m.TS, m.Emoji)
	if _, out := outOfReach(err); out || errors.Is(err, client.ErrGone) {
		h.log.InfoContext(ctx, "message not marked", "channel", m.Channel, "ts", m.TS, "err", err)
		return nil
	}
	return postponed(ctx, h.log, err)
}
