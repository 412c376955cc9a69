package store

import (
	"context"
	"fmt"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// Wait is something that somebody asked for and that waits for a service which does not answer.
type Wait struct {
	Verb  string `json:"verb"` // as that of an [order.Intent]
	Actor string `json:"actor,omitempty"`
}

// Changes says that it could bring the order into another status.
func (w Wait) Changes() bool {
	return w.Verb == order.VerbApprove || w.Verb == order.VerbRevise || w.Verb == order.VerbCancel
}

// Waiting is what of the order waits now, in the order in which it was asked for.
func (t Tracked) Waiting(now time.Time) []Wait {
	if t.Ended() || t.Untracked || !now.Before(t.WaitsUntil) {
		return nil
	}
	return t.Waits
}

// ChangeWaits says that something waits now which could bring the order into another status.
func (t Tracked) ChangeWaits(now time.Time) bool {
	for _, w := range t.Waiting(now) {
		if w.Changes() {
			return true
		}
	}
	return false
}

// Offers is [order.Known.Offers] of an order as a channel has it: while one change waits for the
// service, another is not worth offering.
func (t Tracked) Offers(verb string, now time.Time) bool {
	return t.Known.Offers(verb, now) && (!t.ChangeWaits(now) || !Wait{Verb: verb}.Changes())
}

// NoteWaits notes what of an order waits for the service, in place of what was noted before, and until
// when that counts; nothing ends it. What is new of that, or had run out, puts a job, in the same step,
// that shows it on the card. It is no change of the order: the version stays. Nobody waits for an order that was
// untracked: that is [ErrNotTracked].
func (s *Changes) NoteWaits(ctx context.Context, id string, waits []Wait, until time.Time) error {
	return kv.RetryOnConflict(orderError(id, ErrStale), func() (kv.Result, error) {
		t, err := s.records.order(ctx, id)
		if err != nil {
			return kv.Stale, err
		}
		job := announceJob(t, fmt.Sprintf("waits:%d", time.Now().UnixNano()))
		job.Body = []byte(kv.Encode(AnnounceJob{Order: t.ID, Generation: t.Owner.Generation, Refresh: true}))
		args := script.Args{
			"id": id, "generation": t.Owner.Generation, "waits": "", "until": until.UnixMilli(), "now": time.Now().UnixMilli(),
			"announce": s.records.queue.PutArgs(ctx, job),
		}
		if len(waits) > 0 {
			args["waits"] = kv.Encode(waits)
		}
		code, err := s.db.Run(ctx, "note_waits", s.records.keys(t), args)
		if err == nil && kv.Result(code) == kv.Stale {
			err = ErrNotTracked
		}
		return kv.Result(code), orderError(id, err)
	})
}

// PlacingWaits names the document that says that a new order waits for a service which does not answer. With nothing else to ask
// for, a poll asks whether the service answers again.
const PlacingWaits = "placing-waits"
