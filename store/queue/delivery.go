package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Delivery is a job in the hands of a handler.
type Delivery struct {
	Job
	// Attempt is how many attempts failed before, from 0; waiting is no failure.
	Attempt int
	// Deliveries counts this and all earlier deliveries, from 1.
	Deliveries int
	// First says that nobody can have worked on the job before: this is its
	// first delivery, in the same run of Redis that accepted it. After a restart
	// of Redis, which may have forgotten a delivery, it is false.
	First bool
	// SameRun says that Redis has not restarted since it accepted the job: State
	// is all that was ever left. Otherwise the newest State may be forgotten.
	SameRun bool
	// PutAt is when the job was put, by the clock of Redis.
	PutAt time.Time
	// State is what [Delivery.SetState] left last; nil when nothing.
	State json.RawMessage

	q     *Queue
	claim claim

	claimedAt time.Time // by the clock of Redis
	since     time.Time // the same moment by ours, with its monotonic reading
}

// Now is the time by the clock of Redis, as far as this process can tell without asking: what
// one replica noted with it, another may compare with its own, however far apart their
// machines' clocks are. For a Delivery made by hand it is this machine's time.
func (d *Delivery) Now() time.Time {
	if d.claimedAt.IsZero() {
		return time.Now()
	}
	return d.claimedAt.Add(time.Since(d.since))
}

// claim is a worker's hold on a lane. The fence is different for every claim.
type claim struct {
	consumer, entry, fence string
	lane, id               string
}

var stateScript = newScript("state", keysLua)

// stateArgs are the argument of state.lua.
type stateArgs struct {
	scope
	Lane  string `json:"lane"`
	Fence string `json:"fence"`
	ID    string `json:"id"`
	State string `json:"state"` // JSON
}

// SetState keeps v, as JSON, with the job: the next delivery finds it in State.
// It returns [ErrLostClaim], and keeps nothing, when the lane is no longer this
// delivery's. A Delivery made by hand, without a queue, keeps it in memory.
func (d *Delivery) SetState(ctx context.Context, v any) error {
	state, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("queue: state of %s: %w", d.ID, err)
	}
	if d.q == nil {
		d.State = state
		return nil
	}
	n, err := d.q.script(ctx, stateScript, stateArgs{d.q.scope(), d.claim.lane, d.claim.fence, d.ID, string(state)}).Int()
	if err != nil {
		return errorf("set state", d.ID, err)
	}
	if n == 0 {
		return ErrLostClaim
	}
	d.State = state
	return nil
}

var claimScript = newScript("claim", keysLua, putLua, tokenLua)

// claimArgs are the argument of claim.lua.
type claimArgs struct {
	scope
	Consumer string `json:"consumer"`
	Entry    string `json:"entry"` // of the stream
	Fence    string `json:"fence"`
	Lease    int64  `json:"lease,string"` // ms
}

// claimLane takes hold of the lane whose token is entry. It returns nil when
// there is nothing to do: the token is stale, the lane empty or in other hands.
func (q *Queue) claimLane(ctx context.Context, consumer, entry, fence string) (*Delivery, error) {
	values, err := q.script(ctx, claimScript, claimArgs{q.scope(), consumer, entry, fence, q.o.Lease.Milliseconds()}).StringSlice()
	if err != nil {
		return nil, errorf("claim", entry, err)
	}
	if len(values) == 0 {
		return nil, nil
	}
	d := &Delivery{q: q, Job: Job{ID: values[0], Lane: values[1], Kind: values[2], Body: raw(values[3])}}
	d.claim = claim{consumer: consumer, entry: entry, fence: fence, lane: d.Lane, id: d.ID}
	d.PutAt = time.UnixMilli(number(values[4]))
	d.Attempt, d.Deliveries = int(number(values[5])), int(number(values[6]))
	d.State = raw(values[7])
	d.SameRun = values[8] != "" && values[8] == values[9]
	d.First = d.Deliveries == 1 && d.SameRun
	d.claimedAt, d.since = time.UnixMilli(number(values[10])), time.Now()
	return d, nil
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

var renewScript = newScript("renew", keysLua)

// renewArgs are the argument of renew.lua.
type renewArgs struct {
	scope
	Lane     string `json:"lane"`
	Fence    string `json:"fence"`
	Consumer string `json:"consumer"`
	Entry    string `json:"entry"`
	Lease    int64  `json:"lease,string"` // ms
}

// renew prolongs a claim by a lease; false: the claim is lost.
func (q *Queue) renew(ctx context.Context, c claim) (bool, error) {
	n, err := q.script(ctx, renewScript, renewArgs{q.scope(), c.lane, c.fence, c.consumer, c.entry, q.o.Lease.Milliseconds()}).Int()
	return n == 1, err
}

var settleScript = newScript("settle", keysLua, putLua, tokenLua)

// settleArgs are the argument of settle.lua.
type settleArgs struct {
	scope
	Lane     string `json:"lane"`
	Entry    string `json:"entry"`
	Fence    string `json:"fence"`
	ID       string `json:"id"`
	Verb     string `json:"verb"`            // done, wait, retry, dead, back
	After    int64  `json:"after,string"`    // ms to wait
	Reason   string `json:"reason"`          // of a failure
	Remember int64  `json:"remember,string"` // ms that the id of a settled job stays known
	Tell     int64  `json:"tell,string"`     // ms after which somebody else tells of a death
}

// settle ends a claim with what becomes of its job; false: the claim was lost.
func (q *Queue) settle(ctx context.Context, c claim, o outcome) (bool, error) {
	n, err := q.script(ctx, settleScript, settleArgs{
		scope: q.scope(), Lane: c.lane, Entry: c.entry, Fence: c.fence, ID: c.id,
		Verb: o.verb, After: millis(o.after), Reason: o.reason,
		Remember: remember.Milliseconds(), Tell: tellAgain.Milliseconds(),
	}).Int()
	return n == 1, err
}
