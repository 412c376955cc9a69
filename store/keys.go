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
//	event-ids:ID                 set: the ids of the events since the order was last tracked
//	snapshot:ID                  string: the snapshot of a shrunk order, as JSON; see snapshot.go
//	active                       hash: id → Active as JSON, of the orders that can still change
//	lagging                      set: ids of orders whose channel does not show everything yet
//	finished                     sorted set: id → when the order became final, ms; orders saved in full
//	shrunk                       sorted set: id → when the order became final, ms; shrunk orders
//	channel:TEAM:CHANNEL         sorted set: id → when it was ordered, ms
//	channels:TEAM                set: the team's channels that own orders
//	requester:TEAM:USER          sorted set: id → when it was ordered, ms
//	thread:TEAM:CHANNEL:TS       string: "GENERATION:ID" of the order whose card has that timestamp
//	reference:REFERENCE          string: "order:ID", or "draft:ID" while only reserved; in capitals
//	draft:ID                     hash: doc, state, attempt, origin, nonce; expires
//	unfinished:TEAM:USER         sorted set: ids of drafts that are filled in, not placed and not
//	                             discarded → when they were saved, ms; expires with the last of them
//	outstanding                  sorted set: ids of drafts that are being placed or may be out → when they expire, ms
//	batch:ID                     hash: what a channel shows of a batch; expires without orders; see batch_card.go
//	batch-orders:ID              sorted set: id of a batch's order in its channel → when it was ordered, ms
//	spending:TEAM:MONTH          hash: an order's id, or reference.attempt of a draft → order.Spending as
//	                             JSON; expires; see spending.go
//	settings:TEAM:CHANNEL        string: the channel's Settings as JSON; without a channel: Account
//	reminding                    set: "TEAM:CHANNEL" of channels with reminders, a digest or notices of lateness
//	presets:TEAM:CHANNEL         string: the channel's presets as JSON; until the last is removed
//	note:NAME                    string: a document of the caller's; expires
//	lock:NAME                    string: the holder's token; expires
//	own-posts:CHANNEL            sorted set: the app's messages that Slack sent an event for → their timestamps,
//	                             µs; expires; see own_posts.go
//	run                          hash: replid, replid_since (ms); see lua/run.lua
//	connection                   hash: host, print, before, leaving, forgetting, forgotten, removal; see [tenants.Connection];
//	                             names_of, names_own, names_letters, names_bytes, names_told; see [tenants.Names]
//	heard                        hash: kind of request → when the last one came, ms; see inbound.go
//	absent                       never exists; see script.Set.Run
//	confirm                      string: a write that replicas confirm; see store/conn/confirm.go
//
// An app for many workspaces has further keys in a [tenants.Directory]: the first two for each workspace and
// organisation, "workspaces" for each shard, "oauth-state" for the whole app.
//
//	installation                 string: a savedInstallation of store/tenants as JSON, its tokens sealed
//	account                      string: a savedAccount of store/tenants as JSON, its credentials sealed
//	workspaces                   set: the ids with an installation or an account
//	oauth-state:HASH             string: an installation that somebody began; expires
//
// After a move from one workspace to many (see store/tenants/move_workspace.go) the old keys include:
//
//	moved                        hash: team, done

// Keys returns the keys of an order and its indexes, by the names that scripts use.
func (s *Orders) Keys(t Tracked) script.Keys { return s.records.keys(t) }

func referenceKey(db kv.DB, reference string) string {
	return db.Key("reference", strings.ToUpper(reference))
}

// keys returns the keys of an order and its indexes, by the names that scripts use.
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
		"batch":            s.db.Key("batch", t.Batch),
		"batch_orders":     s.db.Key("batch-orders", t.Batch),
	}
}
