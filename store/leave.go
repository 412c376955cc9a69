package store

import (
	"fmt"

	"darkroom/store/queue"
)

// LeaveKind is the kind of the job that leaves an old place tidy: the card there says
// that the channel no longer has the order, and no button of its thread stays.
const LeaveKind = "leave"

// LeaveJob is the body of that job; it runs in the old channel's lane.
type LeaveJob struct {
	Order      string   `json:"order"`
	Team       string   `json:"team"`
	Channel    string   `json:"channel"`
	Generation int      `json:"generation"`        // the old one: that of the messages there
	CardTS     string   `json:"card_ts"`           // "": no card is known, only Posting
	Replies    []Posted `json:"replies,omitempty"` // those with buttons
	Posting    *Posting `json:"posting,omitempty"` // a post there that may be out unrecorded; nil: none
}

// leaveJob is that job for the place that t leaves. The messages there are filled in by
// the script that forgets them: the announcer may add one until then.
func leaveJob(t Tracked) queue.Job {
	return queue.Job{
		ID:   fmt.Sprintf("leave:%s:g%d", t.ID, t.Owner.Generation),
		Lane: channelLane(t.Owner.Team, t.Owner.Channel),
		Kind: LeaveKind,
		Body: []byte(encode(LeaveJob{Order: t.ID, Team: t.Owner.Team, Channel: t.Owner.Channel, Generation: t.Owner.Generation})),
	}
}

// leaveLua defines leave_place(order, threads, at): it takes the card and the thread of the
// place that is left from the order, and puts the leave job whose PutArgs begin at ARGV[at],
// if anything of ours is there. threads is the threadKey of the place without a timestamp.
const leaveLua = `
local function leave_place(order, threads, at)
  local job, replies = cjson.decode(ARGV[at + 4]), {}
  local forget = {'card_ts', 'card_version', 'posting', 'posting_event'}
  local fields = redis.call('HGETALL', order)
  for i = 1, #fields, 2 do
    local field, value = fields[i], fields[i + 1]
    if field == 'card_ts' then
      job.card_ts = value
    elseif field == 'posting' then
      job.posting = cjson.decode(value)
    elseif string.sub(field, 1, 6) == 'reply:' then
      forget[#forget + 1] = field
      local reply = cjson.decode(value)
      if reply.buttons then replies[#replies + 1] = reply end
    end
  end
  redis.call('HDEL', order, unpack(forget))
  if job.card_ts == '' and not job.posting then return end
  redis.call('DEL', threads .. job.card_ts)
  table.sort(replies, function(a, b) return a.event < b.event end)
  if #replies > 0 then job.replies = replies end
  ARGV[at + 4] = cjson.encode(job)
  queue_put(ARGV, at)
end
`
