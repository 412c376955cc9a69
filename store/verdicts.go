package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// An order's hash has a field for the verdict on each image, and on each sentence that was asked for. So concurrent verdicts
// on different images do not overwrite each other. A verdict is bound to one edit: a newer edit has no verdict.

// verdictPace is the shortest time between two edits that show verdicts in a channel: Slack allows fifty edits a
// minute for all messages of a workspace's app.
const verdictPace = 15 * time.Second

// Tally returns how many images are good, of all, and how many sentences are ticked as done, and by whom:
// "4/6 2 U0BEN". It is "" without either.
func (t Tracked) Tally() string {
	var said []string
	if good, all := t.Good(); good > 0 {
		said = append(said, fmt.Sprintf("%d/%d", good, all))
	}
	if count := t.Verdicts.Ticked(t.Order.EditedImages); count.Done > 0 {
		said = append(said, strconv.Itoa(count.Done), strings.Join(count.By, " "))
	}
	return strings.Join(said, " ")
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

// Verdicts saves people's opinions of single images.
type Verdicts struct {
	records *records
	every   time.Duration // 0: verdictPace
}

// Judge saves a person's verdicts on images of an order, and puts the job that shows them. It returns the order
// as it is then, and the ticks that do not count because their image has a newer edit. Doing it twice is doing
// it once. An untracked order returns [ErrNotTracked].
func (s *Verdicts) Judge(ctx context.Context, id, by string, ticks []order.Tick) (t Tracked, outdated []order.Tick, err error) {
	t, err = s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		if old.Untracked {
			return kv.Stale, ErrNotTracked
		}
		changed, over, late := old.Verdicts.With(ticks, old.Order.EditedImages, by, time.Now())
		outdated = late
		if len(changed) == 0 {
			return kv.Written, nil
		}
		return s.judge(ctx, old.Tracked, changed, over)
	})
	return t, outdated, err
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
