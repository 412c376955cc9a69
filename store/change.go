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

// change is one step of an order's course.
type change struct {
	old    stored
	next   Tracked // its Version and LastEvent are still those of old
	events []order.Event
}

// empty says that there is nothing to write.
func (c change) empty() bool {
	return len(c.events) == 0 && c.old.Missed == c.next.Missed &&
		c.next.Gone == c.old.Gone && c.next.Pauses == c.old.Pauses &&
		reflect.DeepEqual(c.next.Delivered, c.old.Delivered) &&
		(c.next.Intent == nil) == (c.old.Intent == nil) &&
		kv.Encode(c.next.Order) == kv.Encode(c.old.Order)
}

// after is the order once the change and these of its events are written.
func (c change) after(added []order.Event) Tracked {
	t := c.next
	t.Version++
	t.LastEvent += int64(len(added))
	return t
}

// eventArgs is an event as scripts append it.
func eventArgs(e order.Event) script.Args { return script.Args{"id": e.ID, "doc": eventDoc(e)} }

// write writes a change, unless somebody was first. It returns the events that
// were new.
func (s *records) write(ctx context.Context, c change) ([]order.Event, kv.Result, error) {
	after := c.after(nil)
	if err := s.keepPictures(ctx, c.old, c.next.Order); err != nil {
		return nil, kv.Stale, err
	}
	events := make([]script.Args, len(c.events))
	for i, e := range c.events {
		events[i] = eventArgs(e)
	}
	regrown := "" // what was asked for is in the hash of every order but one that has shrunk
	if c.old.Shrunk {
		regrown = encodeOptional(c.old.Brief)
	}
	args := script.Args{
		"intent": c.old.rawIntent, "fulfilled": c.next.Intent == nil, "events": events,
		"order": kv.Encode(c.next.Order), "brief": kv.Encode(summary(c.next)), "delivered": encodeOptional(c.next.Delivered),
		"milestones": milestonesField(c.next.Milestones), "order_brief": regrown, "pauses": c.next.Pauses, "gone": c.next.Gone, "active": activeEntry(after),
		"announce": s.queue.PutArgs(ctx, announceJob(after, fmt.Sprintf("v%d", after.Version))), "poll": s.polls.WakeArgs(tenants.PollJob()),
	}
	if is := c.next.spending(); is != "" && is != c.old.spending() {
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
	Generation int    `json:"generation"` // nothing to do when the order has moved since

	// Refresh edits the card although it shows the newest version: the time of one of its
	// buttons is over.
	Refresh bool `json:"refresh,omitempty"`
	// Previews is the event whose pictures are uploaded to Slack and put into its reply; 0:
	// none. Such a job has a lane of its own: the channel does not wait for it.
	Previews int64 `json:"previews,omitempty"`
	// Missing are the addresses of those that its reply lacks; none: all.
	Missing []string `json:"missing,omitempty"`
	// Unasked are those of them that Slack was not asked for, because they were too slow to be waited for; of
	// another job than that: those of a post whose outcome it looks for.
	Unasked []string `json:"unasked,omitempty"`
	// Sheets is the event whose contact sheets are made, uploaded and put into its reply; 0: none. Such a job is in
	// the lane of those that fill previews in.
	Sheets int64 `json:"sheets,omitempty"`
	// Deleted is a reply that somebody deleted in Slack; "": none.
	Deleted string `json:"deleted,omitempty"`
	// Reach counts how often the channel was out of reach so far.
	Reach int `json:"reach,omitempty"`
	// Chain names the jobs that wait for the channel one after the other.
	Chain string `json:"chain,omitempty"`
	// Unsent is a mark whose post Slack surely refused: nothing of it is out.
	Unsent *InFlight `json:"unsent,omitempty"`
	// EarlierState is what a job remembers that made room for the channel's others while it waits to read; this one goes on
	// from there.
	EarlierState json.RawMessage `json:"left,omitempty"`
}

// announceJob is the job that announces t; why makes its id one of its own.
func announceJob(t Tracked, why string) queue.Job {
	id := fmt.Sprintf("announce:%s:g%d:%s", t.ID, t.Owner.Generation, why)
	return channelJob(t.Owner.Team, t.Owner.Channel, AnnounceKind, id, AnnounceJob{Order: t.ID, Generation: t.Owner.Generation})
}

// channelJob is a job of the announcer's, which does all that it does in a channel in one lane.
func channelJob(team, channel, kind, id string, body any) queue.Job {
	return queue.Job{ID: id, Lane: "channel:" + team + ":" + channel, Kind: kind, Body: []byte(kv.Encode(body))}
}
