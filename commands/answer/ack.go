package answer

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"darkroom/bot"
	"darkroom/cards/kit"
)

// ack is an acknowledgement that is sent once: by the answer, by a step that must not wait for it, or by a timer.
type ack struct {
	once  sync.Once
	reply chan bot.Reply
}

type ackKey struct{}

// send sends the acknowledgement, and reports whether it was the first.
func (a *ack) send(reply bot.Reply) (first bool) {
	a.once.Do(func() {
		a.reply <- reply
		first = true
	})
	return first
}

// acknowledge sends an empty acknowledgement, unless one was sent.
func acknowledge(ctx context.Context) {
	if a, ok := ctx.Value(ackKey{}).(*ack); ok {
		a.send(bot.Ack())
	}
}

// fitsAck reports whether a message is small enough for an acknowledgement and has no picture that Slack may fail to
// fetch.
func fitsAck(m kit.Message) bool {
	raw, err := json.Marshal(m.Blocks)
	return err == nil && len(m.Text)+len(raw) < ackView && !strings.Contains(string(raw), `"image_url"`)
}

// InAck returns a message as an acknowledgement, and whether it fits one.
func InAck(m kit.Message) (bot.Reply, bool) {
	return bot.Ephemeral(m.Text, m.Blocks...), fitsAck(m)
}
