package store

import (
	"context"
	"fmt"
	"reflect"

	"github.com/redis/go-redis/v9"

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

// What became of a change.
type result int

const (
	stale   result = iota // another version, or no such order
	written               // as it was meant
	raced                 // only the intent is another than it was: look again
)

// write writes a change, unless somebody was first. It returns the events that
// were new.
func (s *Store) write(ctx context.Context, c change) ([]order.Event, result, error) {
	id, after := c.old.ID, c.after(nil)
	if err := s.keepPictures(ctx, c.old, c.next.Order); err != nil {
		return nil, stale, err
	}
	args := []any{
		c.old.Version, c.old.rawIntent, id,
		encodeOptional(c.next.Intent), encode(c.next.Order), encodeOptional(c.next.Delivered),
		c.next.Pauses, flag(c.next.Gone), activeEntry(after), len(c.events), encodeBrief(c.next.Order),
	}
	for _, e := range c.events {
		args = append(args, e.ID, eventDoc(e))
	}
	args = append(args, s.queue.PutArgs(announceJob(after, fmt.Sprintf("v%d", after.Version)))...)
	reply, err := recordScript.Run(ctx, s.rdb, recordKeys(id), args...).Int64Slice()
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

// appendLua defines events_append(order, list, ids, first, n): it appends the n
// events that begin at ARGV[first] as pairs of id and document, skips those
// whose id is known, and returns the places (1 to n) of the rest.
const appendLua = `
local function events_append(order, list, ids, first, n)
  local added = {}
  for i = 1, n do
    local at = first + (i - 1) * 2
    if redis.call('SADD', ids, ARGV[at]) == 1 then
      redis.call('RPUSH', list, ARGV[at + 1])
      added[#added + 1] = i
    end
  end
  redis.call('HSET', order, 'last_event', redis.call('LLEN', list))
  return added
end
`

// KEYS: 1 order, 2 its events, 3 their ids, 4 the active orders, 5 the lagging ones.
// ARGV: 1 version that must hold, 2 intent that must hold, 3 order id,
// 4 intent, 5 snapshot, 6 newest delivery, 7 pauses, 8 gone (0 or 1), 9 entry among
// the active ("": not active), 10 number n of events, 11 the snapshot in brief, then n
// pairs of id and document, then the announcement job.
// Returns {0} when the version is another, {2} when only the intent is, else
// {1, places of the events that were new…}. An order that has left is announced to nobody.
var recordScript = redis.NewScript(queue.PutLua + appendLua + ownLua + `
local order, id, n = KEYS[1], ARGV[3], tonumber(ARGV[10])
local was = redis.call('HMGET', order, 'version', 'intent', 'left')
if was[1] ~= ARGV[1] then return {0} end
if (was[2] or '') ~= ARGV[2] then return {2} end

local added = events_append(order, KEYS[2], KEYS[3], 12, n)
redis.call('HSET', order, 'version', ARGV[1] + 1, 'order', ARGV[5], 'brief', ARGV[11], 'delivered', ARGV[6], 'pauses', ARGV[7], 'gone', ARGV[8])
if ARGV[8] == '0' then redis.call('HDEL', order, 'missed_since', 'missed_at') end
if ARGV[4] == '' then redis.call('HDEL', order, 'intent') end
own_active(KEYS[4], id, ARGV[9])
if was[3] ~= '1' then
  redis.call('SADD', KEYS[5], id)
  queue_put(ARGV, 12 + 2 * n)
end
table.insert(added, 1, 1)
return added
`)
