package store

import (
	"context"
	"fmt"

	"darkroom/store/kv"
	"darkroom/store/queue"
)

// LeaveKind is the kind of the job that cleans up the channel that an order left: the card there says
// that the channel no longer has the order, and its thread keeps no buttons.
const LeaveKind = "leave"

// LeaveJob is the body of that job; it runs in the old channel's lane.
type LeaveJob struct {
	Order      string    `json:"order"`
	Team       string    `json:"team"`
	Channel    string    `json:"channel"`
	Generation int       `json:"generation"`        // the generation of the messages there
	CardTS     string    `json:"card_ts"`           // "": no card is known, only Posting
	Replies    []Posted  `json:"replies,omitempty"` // the unsettled ones: see [Posted.Unsettled]
	Root       string    `json:"root,omitempty"`    // the thread of the card; "": the card's own
	Batch      string    `json:"batch,omitempty"`   // the batch that the order left; "": no batch
	Posting    *InFlight `json:"posting,omitempty"` // a post there that may be out unrecorded; nil: no post
}

// leaveJob returns that job for the channel that t leaves. The script that ends the ownership fills
// in the messages: the announcer may post one until then.
func leaveJob(t Tracked) queue.Job {
	o := t.Owner
	body := LeaveJob{Order: t.ID, Team: o.Team, Channel: o.Channel, Generation: o.Generation, Batch: t.Batch}
	return channelJob(o.Team, o.Channel, LeaveKind, fmt.Sprintf("leave:%s:g%d", t.ID, o.Generation), body)
}

// MarkKind is the kind of the job that puts a mark on a person's message.
const MarkKind = "mark"

// Mark is an emoji on a person's message: it shows whether their words reached the editor.
// It is the body of a job in the channel's lane, which only the announcer does.
type Mark struct {
	Team    string `json:"team"`
	Channel string `json:"channel"`
	TS      string `json:"ts"`
	Emoji   string `json:"emoji"` // without colons
}

// Mark puts that job, once for each message and emoji.
func (s *Announcements) Mark(ctx context.Context, m Mark) error {
	id := fmt.Sprintf("mark:%s:%s:%s", m.Channel, m.TS, m.Emoji)
	_, err := s.records.queue.Put(ctx, channelJob(m.Team, m.Channel, MarkKind, id, m))
	return kv.About("mark on", m.TS, err)
}

// RefreshKind is the kind of the job that edits the cards of a channel's open orders, which show one of its settings.
const RefreshKind = "refresh"

// RefreshJob is the body of that job, which only the announcer does.
type RefreshJob struct {
	Team    string `json:"team"`
	Channel string `json:"channel"`
}

// RefreshCards puts that job, once for each change.
func (s *Announcements) RefreshCards(ctx context.Context, team, channel, change string) error {
	_, err := s.records.queue.Put(ctx, channelJob(team, channel, RefreshKind, "refresh:"+team+":"+channel+":"+change, RefreshJob{team, channel}))
	return kv.About("cards of", channel, err)
}

// UnfurlKind is the kind of the job that answers a message which names orders by their references.
const UnfurlKind = "unfurl"

// UnfurlJob is the body of that job, which only the announcer does.
type UnfurlJob struct {
	Team       string   `json:"team"`
	Channel    string   `json:"channel"`
	Message    string   `json:"message"` // its timestamp
	Thread     string   `json:"thread"`  // the thread that it is in, or begins
	References []string `json:"references"`
}

// PutUnfurl puts that job, once for each message. It has its own lane: no announcement waits for it.
func (s *Announcements) PutUnfurl(ctx context.Context, job UnfurlJob) error {
	lane := fmt.Sprintf("unfurl:%s:%s", job.Team, job.Channel)
	_, err := s.records.queue.Put(ctx, queue.Job{ID: lane + ":" + job.Message, Lane: lane, Kind: UnfurlKind, Body: []byte(kv.Encode(job))})
	return kv.About("references in a message of", job.Channel, err)
}

// SettingsKind is the kind of the job that says in a channel what somebody changed in its settings.
const SettingsKind = "settings"

// SettingsJob is the body of that job, which only the announcer does.
type SettingsJob struct {
	Team    string   `json:"team"`
	Channel string   `json:"channel"`
	Edit    string   `json:"edit"` // names the edit
	By      string   `json:"by"`
	Before  Settings `json:"before"`
	Now     Settings `json:"now"`
}

// settingsJob returns that job; it runs in the channel's lane.
func settingsJob(e SettingsEdit, before, now Settings) queue.Job {
	body := SettingsJob{Team: e.Team, Channel: e.Channel, Edit: e.ID, By: e.By, Before: before, Now: now}
	return channelJob(e.Team, e.Channel, SettingsKind, fmt.Sprintf("settings:%s:%s:%s", e.Team, e.Channel, e.ID), body)
}
