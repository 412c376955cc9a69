package store

import (
	"fmt"

	"darkroom/store/queue"
)

// LeaveKind is the kind of the job that cleans up the place that an order left: the card there says
// that the channel no longer has the order, and no button of its thread stays.
const LeaveKind = "leave"

// LeaveJob is the body of that job; it runs in the old channel's lane.
type LeaveJob struct {
	Order      string    `json:"order"`
	Team       string    `json:"team"`
	Channel    string    `json:"channel"`
	Generation int       `json:"generation"`        // the old one: that of the messages there
	CardTS     string    `json:"card_ts"`           // "": no card is known, only Posting
	Replies    []Posted  `json:"replies,omitempty"` // those that may change again: see [Posted.Unsettled]
	Posting    *InFlight `json:"posting,omitempty"` // a post there that may be out unrecorded; nil: none
}

// leaveJob is that job for the place that t leaves. The messages there are filled in by
// the script that forgets them: the announcer may add one until then.
func leaveJob(t Tracked) queue.Job {
	o := t.Owner
	body := LeaveJob{Order: t.ID, Team: o.Team, Channel: o.Channel, Generation: o.Generation}
	return channelJob(o.Team, o.Channel, LeaveKind, fmt.Sprintf("leave:%s:g%d", t.ID, o.Generation), body)
}
