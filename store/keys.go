package store

import (
	"strings"

	"darkroom/store/kv"
	"darkroom/store/script"
)

// The keys of a store, in the keyspace of its queue:
//
//	order:ID                     hash: owner, snapshot, watermark; see fields.go
//	events:ID                    list: what happened, oldest first; Seq is the place, from 1
//	event-ids:ID                 set: the ids in that list, since the order was last tracked
//	snapshot:ID                  string: the snapshot of an order that has shrunk, as JSON; see snapshot.go
//	active                       hash: id → Active as JSON, of the orders that can still change
//	lagging                      set: ids of orders whose channel does not show all yet
//	finished                     sorted set: id → since when it can change no more, ms; kept in full
//	shrunk                       sorted set: the same of those that wait for the end of their time
//	channel:TEAM:CHANNEL         sorted set: id → when it was ordered, ms
//	channels:TEAM                set: the team's channels that own orders
//	requester:TEAM:USER          sorted set: id → when it was ordered, ms
//	thread:TEAM:CHANNEL:TS       string: "GENERATION:ID" of the order whose card has that timestamp
//	reference:REFERENCE          string: "order:ID", or "draft:ID" while only reserved; in capitals
//	draft:ID                     hash: doc, state, attempt, origin, nonce; expires
//	unfinished:TEAM:USER         sorted set: ids of drafts that are filled in and neither placed nor
//	                             discarded → when they were saved, ms; expires with the last of them
//	outstanding                  sorted set: ids of drafts whose order is being placed, or may be out → until when they
//	                             are kept, ms
//	spending:TEAM:MONTH          hash: id of an order that was placed in the month, or reference and attempt of one that is sent → order.Spending as
//	                             JSON; expires; see spending.go
//	settings:TEAM:CHANNEL        string: the channel's Settings as JSON; without a channel: Account
//	reminding                    set: "TEAM:CHANNEL" of those whose settings say something because time has passed
//	presets:TEAM:CHANNEL         string: the channel's presets as JSON; until the last is removed
//	note:NAME                    string: a document of the caller's; expires
//	lock:NAME                    string: the holder's token; expires
//	own-posts:CHANNEL            sorted set: messages of the app's that an event told of → their timestamps,
//	                             µs; expires; see own_posts.go
//	run                          hash: replid, replid_since (ms); see lua/run.lua
//	connection                   hash: host, print, before, leaving, forgetting, forgotten, removal; see [tenants.Connection];
//	                             names_of, names_own, names_letters, names_bytes, names_told; see [tenants.Names]
//	heard                        hash: what was heard of → when last, ms; see inbound.go
//	absent                       never there; see script.Set.Run
//	confirm                      string: written for the sake of writing; see store/conn/confirm.go
//
// Of an app for many workspaces a [tenants.Directory] keeps besides, the first two with the workspace's or the organisation's
// id before them, the next two once for each shard:
//
//	installation                 string: a keptInstallation of store/tenants as JSON, its tokens sealed
//	account                      string: a keptAccount of store/tenants as JSON, its credentials sealed
//	workspaces                   set: the ids of which any of these is kept
//	oauth-state:HASH             string: an installation that somebody began; expires; for the whole app
//
// Where an app for one workspace became one for many (see store/tenants/move_workspace.go), among the old keys:
//
//	moved                        hash: team, done

// Keys are the keys of an order and of all that leads to it, as scripts know them.
func (s *Orders) Keys(t Tracked) script.Keys { return s.records.keys(t) }

func referenceKey(db kv.DB, reference string) string {
	return db.Key("reference", strings.ToUpper(reference))
}

// keys are the keys of an order and of all that leads to it, as the scripts know them.
func (s *records) keys(t Tracked) script.Keys {
	o := t.Owner
	return script.Keys{
		"order": s.db.Key("order", t.ID), "events": s.db.Key("events", t.ID), "event_ids": s.db.Key("event-ids", t.ID),
		"snapshot": s.db.Key("snapshot", t.ID), "lane": s.queue.LaneKey("order:" + t.ID),
		"active": s.db.Key("active"), "lagging": s.db.Key("lagging"), "finished": s.db.Key("finished"), "shrunk": s.db.Key("shrunk"),
		"channel_orders":   s.db.Key("channel", o.Team, o.Channel),
		"requester_orders": s.db.Key("requester", o.Team, o.Requester),
		"channels":         s.db.Key("channels", o.Team),
		"thread":           s.db.Key("thread", o.Team, o.Channel, t.CardTS),
		"reference":        referenceKey(s.db, t.Reference),
		"spending":         s.db.Key("spending", o.Team, t.counted().Month),
	}
}
