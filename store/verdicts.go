package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// What people think of single images is kept with the order, a field for each image, so that two who judge
// different ones at once both count. It is bound to one edit: a newer one has no verdict.

// verdictPace is how often a channel is shown verdicts at most: Slack allows fifty edits a minute, of all
// that a workspace's app posts.
const verdictPace = 15 * time.Second

// Tally is how many images of an order are good, of how many: "4/6"; "" when none is.
func (t Tracked) Tally() string {
	if good, all := t.Good(); good > 0 {
		return fmt.Sprintf("%d/%d", good, all)
	}
	return ""
}

// Good counts the images whose newest edit is good, and all of them.
func (t Tracked) Good() (good, all int) {
	latest := order.Latest(t.Order.EditedImages)
	for _, image := range latest {
		if t.Verdicts.Good(image) {
			good++
		}
	}
	return good, len(latest)
}

// Verdicts keeps what people think of single images.
type Verdicts struct {
	records *records
	every   time.Duration // 0: verdictPace
}

// Judge notes what somebody thinks of images of an order, and has its channel show it. It returns the order
// as it is then, and the ticks that do not count: a newer edit of their image is there. Doing it twice
// is doing it once. Nobody judges an order that was untracked: that is [ErrNotTracked].
func (s *Verdicts) Judge(ctx context.Context, id, by string, ticks []order.Tick) (t Tracked, overtaken []order.Tick, err error) {
	t, err = s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		if old.Untracked {
			return kv.Stale, ErrNotTracked
		}
		changed, over, late := old.Verdicts.With(ticks, old.Order.EditedImages, by, time.Now())
		overtaken = late
		if len(changed) == 0 {
			return kv.Written, nil
		}
		return s.judge(ctx, old.Tracked, changed, over)
	})
	return t, overtaken, err
}

func (s *Verdicts) judge(ctx context.Context, t Tracked, changed order.Verdicts, over []string) (kv.Result, error) {
	fields, verdicts := []string{}, []script.Args{}
	for _, image := range over {
		fields = append(fields, VerdictField+image)
	}
	for image, v := range changed {
		verdicts = append(verdicts, script.Args{"field": VerdictField + image, "doc": kv.Encode(v)})
	}
	slices.Sort(fields)
	job := announceJob(t, "verdicts:")
	job.Body = []byte(kv.Encode(AnnounceJob{Order: t.ID, Generation: t.Owner.Generation, Refresh: true}))
	return s.records.step(ctx, "judge", t, script.Args{
		"over": fields, "verdicts": verdicts, "pace": cmp.Or(s.every, verdictPace), "announce": s.records.queue.PutArgs(ctx, job),
	})
}
