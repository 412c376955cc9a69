package answer

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"darkroom/bot"
	"darkroom/cards/kit"
)

// ack is an acknowledgement that is decided once: by the answer, by whatever must not wait for
// one, or by the clock.
type ack struct {
	once  sync.Once
	reply chan bot.Reply
}

type ackKey struct{}

// with decides it, and tells whether it was open still.
func (a *ack) with(reply bot.Reply) (first bool) {
	a.once.Do(func() {
		a.reply <- reply
		first = true
	})
	return first
}

// acked acknowledges what is looked at, if that has not happened yet.
func acked(ctx context.Context) {
	if a, ok := ctx.Value(ackKey{}).(*ack); ok {
		a.with(bot.Ack())
	}
}

// fitsAck tells a message that is small enough for an acknowledgement, and has no picture that
// Slack may be unable to fetch.
func fitsAck(m kit.Message) bool {
	raw, err := json.Marshal(m.Blocks)
	return err == nil && len(m.Text)+len(raw) < ackView && !strings.Contains(string(raw), `"image_url"`)
}

// InAck is a message as an acknowledgement, false when it does not fit one.
func InAck(m kit.Message) (bot.Reply, bool) {
	return bot.Ephemeral(m.Text, m.Blocks...), fitsAck(m)
}
