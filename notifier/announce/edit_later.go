package announce

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/bot"
	"darkroom/store"
	"darkroom/store/queue"
)

// cardExists says whether the card does: nil, or [bot.ErrGone]. A deleted one that has replies
// leaves a tombstone. Where it would have to wait for its turn to read, it is taken to be there: the edit, which
// comes later, posts it anew if it is not.
func (v *announceRun) cardExists(ctx context.Context, ts string) error {
	card, err := v.Slack.Root(ctx, v.t.Owner.Channel, ts)
	switch {
	case errors.Is(err, bot.ErrReadTurn):
		return nil
	case err == nil && card.SubType == "tombstone":
		return bot.ErrGone
	}
	return err
}

// sameLimit is for how long the edits of one order that meet Slack's limit end as one job.
const sameLimit = 10 * time.Second

// editLater leaves the edits of this order to a job of their own, for when Slack's limit on
// edits is over. The limit is the workspace's, for edits alone: replies go out meanwhile,
// and the lane goes on to the channel's other orders.
func (v *announceRun) editLater(ctx context.Context, after time.Duration) error {
	due := time.Now().Add(after)
	id := fmt.Sprintf("announce:%s:g%d:limit:v%d:%d", v.id, v.generation, v.t.Version, due.Unix()/int64(sameLimit/time.Second))
	if v.d.ID == id {
		return queue.Wait(after)
	}
	v.Log.InfoContext(ctx, "slack limits edits", "order", v.id, "after", after)
	if err := v.again(ctx, id, store.AnnounceJob{Refresh: v.refresh}, after); err != nil {
		return err
	}
	v.late, v.refresh, v.memory.Refresh = v.t.Version, false, false
	return nil
}
