package stories

import (
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

// Two orders that are delivered in one minute are one message in a channel that wants it, each with its review in its
// thread. What comes later is another message, and what was decided before its minute is over is none.
func TestSeveralDeliveriesWithinAMinuteAreOneMessage(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits()
	maria, ben := w.person("maria"), w.person("ben")
	w.sets(maria, map[string]string{"Several deliveries within a minute": "One message for all"}, "are one message here")
	first, second := w.place(maria, "Harbour"), w.another(maria, "Lighthouse")
	require.NoError(t, w.Photos.Deliver(first.ID))
	require.NoError(t, w.Photos.Deliver(second.ID))
	ben.SeesInThread("Harbour", "Ready for review")
	ben.SeesInThread("Lighthouse", "Ready for review")
	require.Len(t, w.Workspace.Messages("#shoots"), 2, "two cards")

	w.Workspace.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
	w.minuteIsOver()
	ben.Sees("2 orders are ready for review")
	w.approveInThread(ben, first.ID)
	w.approveInThread(maria, second.ID)

	third := w.another(maria, "Pier")
	require.NoError(t, w.Photos.Deliver(third.ID))
	maria.SeesInThread("Pier", "Ready for review")
	w.approveInThread(ben, third.ID)
	w.minuteIsOver()
	w.quiet()
	messages := w.Workspace.Messages("#shoots")
	require.Len(t, messages, 4, "three cards, and one message")
	var told []string
	for _, m := range messages {
		require.False(t, m.Broadcast)
		if strings.Contains(m.Text, "ready for review*") {
			told = append(told, m.Text)
		}
	}
	require.Len(t, told, 1)
	for _, project := range []string{"Harbour", "Lighthouse"} {
		require.Regexp(t, `<http[^>]*thread_ts=[^>]*\|`+project+`> · \d image`, told[0])
	}
	require.Equal(t, 1, strings.Count(told[0], "<@"), "Maria, once")
}

// approveInThread approves an order whose review stands in its thread alone.
func (w *world) approveInThread(who *person.T, id string) {
	w.t.Helper()
	who.Type("/order approve " + id)
	who.SeesModal("Approve order")
	who.Submit()
	who.Sees("The order is closed")
	who.CloseModal()
}

// minuteIsOver makes what waits for more deliveries due, and waits until it is done.
func (w *world) minuteIsOver() {
	w.t.Helper()
	rdb := asOperator(w.t, w.redis)
	waiting := func() (jobs []string) {
		ids, err := rdb.ZRange(w.t.Context(), "{darkroom}:q:later", 0, -1).Result()
		require.NoError(w.t, err)
		for _, id := range ids {
			if strings.HasPrefix(id, "gather:") {
				jobs = append(jobs, id)
			}
		}
		return jobs
	}
	w.until("deliveries are gathered", func() bool { return len(waiting()) == 1 })
	job := waiting()[0]
	require.NoError(w.t, rdb.ZAdd(w.t.Context(), "{darkroom}:q:later", redis.Z{Score: float64(time.Now().Add(-time.Second).UnixMilli()), Member: job}).Err())
	w.until("the channel was told", func() bool {
		left, err := rdb.Exists(w.t.Context(), "{darkroom}:q:job:"+job).Result()
		return err == nil && left == 0
	})
}
