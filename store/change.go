package store

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
	"darkroom/store/tenants"
)

// change is a new state of an order, with its new events.
type change struct {
	old    stored
	next   Tracked // its Version and LastEvent are still those of old
	events []order.Event
}

// empty reports whether there is nothing to write.
func (c change) empty() bool {
	return len(c.events) == 0 && c.old.Missed == c.next.Missed &&
		c.next.Gone == c.old.Gone && c.next.Pauses == c.old.Pauses &&
		reflect.DeepEqual(c.next.Delivered, c.old.Delivered) &&
		(c.next.Intent == nil) == (c.old.Intent == nil) &&
		kv.Encode(c.next.Order) == kv.Encode(c.old.Order)
}

// after returns the order once the change and the added events are written.
func (c change) after(added []order.Event) Tracked {
	t := c.next
	t.Version++
	t.LastEvent += int64(len(added))
	return t
}

// eventArgs returns an event as scripts append it.
func eventArgs(e order.Event) script.Args { return script.Args{"id": e.ID, "doc": eventDoc(e)} }

// write writes a change, unless another version was written meanwhile. It returns the
// events that were new.
func (s *records) write(ctx context.Context, c change) ([]order.Event, kv.Result, error) {
	after := c.after(nil)
	if err := s.savePictures(ctx, c.old, c.next.Order); err != nil {
		return nil, kv.Stale, err
	}
	events := make([]script.Args, len(c.events))
	for i, e := range c.events {
		events[i] = eventArgs(e)
	}
	regrown := "" // the brief, which only the hash of a shrunk order lacks
	if c.old.Shrunk {
		regrown = encodeOptional(c.old.Brief)
	}
	args := script.Args{
		"intent": c.old.rawIntent, "fulfilled": c.next.Intent == nil, "events": events,
		"order": kv.Encode(c.next.Order), "brief": kv.Encode(summary(c.next)), "delivered": encodeOptional(c.next.Delivered),
		"milestones": milestonesField(c.next.Milestones), "order_brief": regrown, "pauses": c.next.Pauses, "gone": c.next.Gone, "active": activeEntry(after),
		"announce": s.queue.PutArgs(ctx, announceJob(after, fmt.Sprintf("v%d", after.Version))), "poll": s.polls.WakeArgs(tenants.PollJob()),
	}
	if entry := c.next.spending(); entry != "" && entry != c.old.spending() {
		args["spending"] = c.next.spendingArgs()
	}
	reply, err := s.stepCmd(ctx, "record", c.old.Tracked, args).Int64Slice()
	if err != nil {
		return nil, kv.Stale, err
	}
	var added []order.Event
	for i, n := range reply[1:] {
		e := c.events[n-1]
		e.Seq = c.old.LastEvent + int64(i) + 1
		added = append(added, e)
	}
	return added, kv.Result(reply[0]), nil
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// AnnounceKind is the kind of the job that makes a channel match an order.
const AnnounceKind = "announce"

// AnnounceJob is the body of that job.
type AnnounceJob struct {
	Order      string `json:"order"`
	Generation int    `json:"generation"` // the job does nothing when the order has moved since

	// Refresh edits the card although it shows the newest version: one of its buttons has
	// expired.
	Refresh bool `json:"refresh,omitempty"`
	// Previews is the Seq of the event whose pictures are uploaded to Slack and put into its reply; 0:
	// no previews. Such a job has its own lane: the channel does not wait for it.
	Previews int64 `json:"previews,omitempty"`
	// Missing are the addresses of the previews that its reply lacks; nil: all.
	Missing []string `json:"missing,omitempty"`
	// Unasked are the missing previews that were too slow, so that Slack did not get them. In a job that looks for
	// the outcome of a post, they are that post's.
	Unasked []string `json:"unasked,omitempty"`
	// Sheets is the Seq of the event whose contact sheets are made, uploaded and put into its reply; 0: no sheets. Such
	// a job is in the lane of the previews.
	Sheets int64 `json:"sheets,omitempty"`
	// Inspect is the Seq of the delivery that is compared with its order; 0: none. Such a job is in the lane of the
	// previews.
	Inspect int64 `json:"inspect,omitempty"`
	// Deleted is the timestamp of a reply that somebody deleted in Slack; "": no reply.
	Deleted string `json:"deleted,omitempty"`
	// Reach counts how often the channel was unreachable so far.
	Reach int `json:"reach,omitempty"`
	// Chain names the jobs that wait for the channel one after the other.
	Chain string `json:"chain,omitempty"`
	// Unsent is a mark whose post Slack surely refused.
	Unsent *InFlight `json:"unsent,omitempty"`
	// EarlierState is the state of an earlier job that let the channel's other jobs go first while it waited to read. This
	// job continues from it.
	EarlierState json.RawMessage `json:"left,omitempty"`
}

// announceJob returns the job that announces t; why makes its id unique.
func announceJob(t Tracked, why string) queue.Job {
	id := fmt.Sprintf("announce:%s:g%d:%s", t.ID, t.Owner.Generation, why)
	return channelJob(t.Owner.Team, t.Owner.Channel, AnnounceKind, id, AnnounceJob{Order: t.ID, Generation: t.Owner.Generation})
}

// channelJob returns a job of the announcer; all its jobs in a channel share a lane.
func channelJob(team, channel, kind, id string, body any) queue.Job {
	return queue.Job{ID: id, Lane: "channel:" + team + ":" + channel, Kind: kind, Body: []byte(kv.Encode(body))}
}
