package store

import "strings"

// tag puts every key into one slot of a Redis Cluster, so that each step can be
// atomic. The keys of store/queue have it too.
const tag = "{darkroom}:"

func orderKey(id string) string    { return tag + "order:" + id }     // hash: owner, snapshot, watermark; see fields.go
func eventsKey(id string) string   { return tag + "events:" + id }    // list: what happened, oldest first; Seq is the place, from 1
func eventIDsKey(id string) string { return tag + "event-ids:" + id } // set: the ids in that list, since the order was last tracked
func activeKey() string            { return tag + "active" }          // hash: id → Active as JSON, of the orders that can still change
func laggingKey() string           { return tag + "lagging" }         // set: ids of orders whose channel does not show all yet
func draftKey(id string) string    { return tag + "draft:" + id }     // hash: doc, state, attempt, nonce; expires
func lockKey(name string) string   { return tag + "lock:" + name }    // string: the holder's token; expires
func noteKey(name string) string   { return tag + "note:" + name }    // string: a note as JSON; expires

func runKey() string { return tag + "run" } // hash: id, since (ms); see run.go
// snapshotKey is a string: the snapshot of an order that has shrunk, as JSON; see shrink.go.
func snapshotKey(id string) string { return tag + "snapshot:" + id }

// The orders that can change no more, each in one of two sorted sets: id → since when, ms.
func finishedKey() string { return tag + "finished" } // those that are kept in full
func shrunkKey() string   { return tag + "shrunk" }   // those that wait for the end of their time

// walkKey is a string: how far the daily look at all orders has come; see walk.go. It expires.
func walkKey() string { return tag + "walk" }

// confirmKey is a string that is written for the sake of writing: see confirm.go.
func confirmKey() string { return tag + "confirm" }

// upstreamRateKey is the pace of calls to the service; redis_rate puts "rate:" before it.
func upstreamRateKey() string { return tag + "upstream" }

// paceKey is a string: when the channel takes the next message, ms; expires.
func paceKey(channel string) string { return tag + "pace:" + channel }

// channelKey is a sorted set: id → when it was ordered, ms.
func channelKey(team, channel string) string { return tag + "channel:" + team + ":" + channel }

// channelsKey is a set: the team's channels that own orders.
func channelsKey(team string) string { return tag + "channels:" + team }

// requesterKey is a sorted set: id → when it was ordered, ms.
func requesterKey(team, user string) string { return tag + "requester:" + team + ":" + user }

// settingsKey is a string: the channel's Settings as JSON.
func settingsKey(team, channel string) string { return tag + "settings:" + team + ":" + channel }

// unfinishedKey is a sorted set: ids of drafts that are filled in and neither placed nor
// discarded → when they were saved, ms. It expires with the last of them.
func unfinishedKey(team, user string) string { return tag + "unfinished:" + team + ":" + user }

// threadKey is a string: "GENERATION:ID" of the order whose card has that timestamp.
func threadKey(team, channel, ts string) string {
	return tag + "thread:" + team + ":" + channel + ":" + ts
}

// referenceKey is a string: "order:ID", or "draft:ID" while only reserved.
func referenceKey(reference string) string {
	return tag + "reference:" + strings.ToUpper(reference)
}
