package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// Wait is a request of a person that is under way, or waits for a service which does not answer.
type Wait struct {
	Verb  string `json:"verb"` // as in [order.Intent]
	Actor string `json:"actor,omitempty"`
	Begun bool   `json:"begun,omitempty"` // under way: the service was not asked yet, or may answer soon
}

// Changes reports whether the request could change the order's status.
func (w Wait) Changes() bool {
	return w.Verb == order.VerbApprove || w.Verb == order.VerbRevise || w.Verb == order.VerbCancel
}

// Waiting returns the order's requests that wait now, oldest first.
func (t Tracked) Waiting(now time.Time) []Wait {
	if t.Ended() || t.Untracked || !now.Before(t.WaitsUntil) {
		return nil
	}
	return t.Waits
}

// ChangeWaits reports whether a request waits now that could change the order's status.
func (t Tracked) ChangeWaits(now time.Time) bool {
	return slices.ContainsFunc(t.Waiting(now), Wait.Changes)
}

// Offers is [order.Known.Offers], but offers no change while another change waits for the service.
func (t Tracked) Offers(verb string, now time.Time) bool {
	return t.Known.Offers(verb, now) && (!t.ChangeWaits(now) || !Wait{Verb: verb}.Changes())
}

// NoteWaits replaces an order's requests that wait for the service, and says when they expire; no requests
// end them. If a request is new, or had expired, the same step puts a job that shows it on the card. The
// version stays. An untracked order returns [ErrNotTracked].
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

// PlacingWaits names the document that says that a new order waits for a service which does not answer. A poll
// without other work then asks whether the service answers again.
const PlacingWaits = "placing-waits"
