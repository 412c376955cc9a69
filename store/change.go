package store

import (
	"context"
	"fmt"
	"reflect"

	"darkroom/order"
	"darkroom/store/queue"
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
		encode(c.next.Order) == encode(c.old.Order)
}

// after is the order once the change and these of its events are written.
func (c change) after(added []order.Event) Tracked {
	t := c.next
	t.Version++
	t.LastEvent += int64(len(added))
	return t
}

var recordScript = newScript("record", courseLua)

// recordArgs are the argument of record.lua.
type recordArgs struct {
	ID        string        `json:"id"`
	Version   int64         `json:"version,string"` // that must hold
	Intent    string        `json:"intent"`         // that must hold; "": none
	Fulfilled bool          `json:"fulfilled"`      // no intent is left
	Order     string        `json:"order"`
	Brief     string        `json:"brief"`
	Delivered string        `json:"delivered"`
	Pauses    int           `json:"pauses,string"`
	Gone      bool          `json:"gone"`
	Active    string        `json:"active"` // entry among the active orders; "": not active
	Events    []eventArgs   `json:"events"`
	Announce  queue.PutArgs `json:"announce"`
}

// eventArgs is an event that a script appends.
type eventArgs struct {
	ID  string `json:"id"`
	Doc string `json:"doc"`
}

func newEventArgs(e order.Event) eventArgs { return eventArgs{ID: e.ID, Doc: eventDoc(e)} }

// write writes a change, unless somebody was first. It returns the events that
// were new.
func (s *Store) write(ctx context.Context, c change) ([]order.Event, result, error) {
	id, after := c.old.ID, c.after(nil)
	if err := s.keepPictures(ctx, c.old, c.next.Order); err != nil {
		return nil, stale, err
	}
	args := recordArgs{
		ID: id, Version: c.old.Version, Intent: c.old.rawIntent, Fulfilled: c.next.Intent == nil,
		Order: encode(c.next.Order), Brief: encodeBrief(c.next.Order), Delivered: encodeOptional(c.next.Delivered),
		Pauses: c.next.Pauses, Gone: c.next.Gone, Active: activeEntry(after),
		Events:   make([]eventArgs, len(c.events)),
		Announce: s.queue.PutArgs(announceJob(after, fmt.Sprintf("v%d", after.Version))),
	}
	for i, e := range c.events {
		args.Events[i] = newEventArgs(e)
	}
	reply, err := s.script(ctx, recordScript, recordKeys(id), args).Int64Slice()
	if err != nil {
		return nil, stale, err
	}
	var added []order.Event
	for i, n := range reply[1:] {
		e := c.events[n-1]
		e.Seq = c.old.LastEvent + int64(i) + 1
		added = append(added, e)
	}
	return added, result(reply[0]), nil
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
	// Reach counts how often the channel was out of reach so far.
	Reach int `json:"reach,omitempty"`
	// Chain names the jobs that wait for the channel one after the other.
	Chain string `json:"chain,omitempty"`
	// Unsent is a mark whose post Slack surely refused: nothing of it is out.
	Unsent *Posting `json:"unsent,omitempty"`
}

// announceJob is the job that announces t; why makes its id one of its own.
func announceJob(t Tracked, why string) queue.Job {
	return queue.Job{
		ID:   fmt.Sprintf("announce:%s:g%d:%s", t.ID, t.Owner.Generation, why),
		Lane: channelLane(t.Owner.Team, t.Owner.Channel),
		Kind: AnnounceKind,
		Body: []byte(encode(AnnounceJob{Order: t.ID, Generation: t.Owner.Generation})),
	}
}

// channelLane is the lane of all that the announcer does in a channel.
func channelLane(team, channel string) string { return "channel:" + team + ":" + channel }
