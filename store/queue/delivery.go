package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"darkroom/store/script"
)

// Delivery is one delivery of a job to a handler.
type Delivery struct {
	Job
	// Attempt is how many attempts failed before, from 0; waiting is no failure.
	Attempt int
	// Deliveries counts this and all earlier deliveries, from 1.
	Deliveries int
	// First says that no worker had the job before: this is its first delivery, in the run of Redis that accepted it.
	// After a restart of Redis, which may have forgotten a delivery, it is false.
	First bool
	// SameRun says that Redis has not restarted since it accepted the job. Otherwise the newest State may be lost.
	SameRun bool
	// Interrupted says that the delivery before was cut off: its worker died, lost the lane or had to stop, or the attempt
	// failed, perhaps because Redis was away. Its last request may still be carried out. It may be true without need.
	Interrupted bool
	// PutAt is when the job was put, by the clock of Redis.
	PutAt time.Time
	// DueAt is when it was due in its lane, by that clock: later than PutAt if it was put with a delay.
	DueAt time.Time
	// WaitedUntil is the end of the wait before this delivery, by that clock. It is later than [Delivery.Now] if the job was
	// woken, and zero if it did not wait.
	WaitedUntil time.Time
	// State was saved last by [Delivery.SetState]; nil: none.
	State json.RawMessage

	space *space // nil: a Delivery without a queue
	claim claim
	trace string // see [traceOf]

	claimedAt time.Time // by the clock of Redis
	since     time.Time // the same moment by ours, with its monotonic reading
}

// Now estimates the time by the clock of Redis. Replicas may compare such times, however far apart their machines' clocks
// are. Without a queue, it is this machine's time.
func (d *Delivery) Now() time.Time {
	if d.claimedAt.IsZero() {
		return time.Now()
	}
	return d.claimedAt.Add(time.Since(d.since))
}

// claim is a worker's hold on a lane. The fence is different for every claim.
type claim struct {
	consumer, entry, fence string
	lane, id               string // their names in the queue
}

// SetState saves v, as JSON, with the job. The next delivery finds it in State. If the claim is lost, it saves
// nothing and returns [ErrLostClaim]. A Delivery without a queue keeps v in memory.
func (d *Delivery) SetState(ctx context.Context, v any) error {
	state, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("queue: state of %s: %w", d.ID, err)
	}
	if d.space != nil {
		ours, err := d.space.did(ctx, "state", script.Args{"lane": d.claim.lane, "fence": d.claim.fence, "id": d.claim.id, "state": string(state)})
		if err != nil {
			return errorf("set state", d.ID, err)
		}
		if !ours {
			return ErrLostClaim
		}
	}
	d.State = state
	return nil
}

// token is an entry of the stream. The worker that reads it gets its lane.
type token struct {
	entry string
	lane  string // "": not known, after a takeover
}

// claims claims lanes for a lease.
type claims struct {
	space *space
	lease time.Duration
}

func (q *Queue) claims() claims { return claims{q.space, q.o.Lease} }

// claimLane claims the lane of a token and delivers its first job. It returns nil if the token is stale, the
// lane is empty, or another worker has claimed it.
func (cs claims) claimLane(ctx context.Context, consumer string, t token, fence string) (*Delivery, error) {
	values, err := cs.space.script(ctx, "claim", script.Args{
		"consumer": consumer, "entry": t.entry, "lane": t.lane, "fence": fence, "lease": cs.lease,
	}).StringSlice()
	if err != nil {
		return nil, errorf("claim", t.entry, err)
	}
	if len(values) == 0 {
		return nil, nil
	}
	d := &Delivery{space: cs.space, Job: cs.space.job(values[0], values[1], values[2], values[3])}
	d.claim = claim{consumer: consumer, entry: t.entry, fence: fence, lane: values[1], id: values[0]}
	d.PutAt = time.UnixMilli(number(values[4]))
	d.Attempt, d.Deliveries = int(number(values[5])), int(number(values[6]))
	d.State = raw(values[7])
	d.SameRun = values[8] != "" && values[8] == values[9]
	d.First = d.Deliveries == 1 && d.SameRun
	d.Interrupted = values[11] != ""
	d.trace = values[12]
	d.DueAt = d.PutAt
	if due := number(values[13]); due > 0 {
		d.DueAt = time.UnixMilli(due)
	}
	if until := number(values[14]); until > 0 {
		d.WaitedUntil = time.UnixMilli(until)
	}
	d.claimedAt, d.since = time.UnixMilli(number(values[10])), time.Now()
	return d, nil
}

// job returns a job with its tenant's names, from its names in the queue.
func (s *space) job(id, lane, kind, body string) Job {
	j := Job{Kind: kind, Body: raw(body)}
	j.Tenant, j.ID = s.own(id)
	_, j.Lane = s.own(lane)
	return j
}

func raw(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}

func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64) // the scripts write nothing else
	return n
}

// renew prolongs a claim by a lease; false: the claim is lost.
func (cs claims) renew(ctx context.Context, c claim) (bool, error) {
	return cs.space.did(ctx, "renew", script.Args{
		"lane": c.lane, "fence": c.fence, "consumer": c.consumer, "entry": c.entry, "lease": cs.lease,
	})
}

// settle ends a claim with the outcome of its job; false: the claim was lost.
func (cs claims) settle(ctx context.Context, c claim, o outcome) (bool, error) {
	return cs.space.did(ctx, "settle", script.Args{
		"lane": c.lane, "entry": c.entry, "fence": c.fence, "id": c.id,
		"verb": o.verb, "after": millis(o.after), "reason": o.reason, // of a failure
		"remember": idempotencyTTL, // how long a settled job's id stays known
		"tell":     notifyAgain,    // after which another worker reports a death
		"begun":    o.verb == "back" || o.verb == "retry" || o.away,
	})
}
