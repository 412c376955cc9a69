package store

import (
	"context"
	"darkroom/store/kv"
	"fmt"
)

// MarkKind is the kind of the job that puts a mark on a person's message.
const MarkKind = "mark"

// Mark is an emoji on a person's message: whether their words reached the editor. It is
// the body of a job in the channel's lane, done by the announcer alone.
type Mark struct {
	Team    string `json:"team"`
	Channel string `json:"channel"`
	TS      string `json:"ts"`
	Emoji   string `json:"emoji"` // without colons
}

// Mark puts that job, once for each message and emoji.
func (s *Announcements) Mark(ctx context.Context, m Mark) error {
	id := fmt.Sprintf("mark:%s:%s:%s", m.Channel, m.TS, m.Emoji)
	_, err := s.records.queue.Put(ctx, channelJob(m.Team, m.Channel, MarkKind, id, m))
	return kv.About("mark on", m.TS, err)
}
