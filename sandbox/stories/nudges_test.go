package stories

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
)

// An order that waits for somebody says so once, after the time that the channel chose. Who snoozes it is reminded
// again then, and an order that has moved on says nothing more.
func TestAnOrderThatWaitsSaysSoOnceAndStops(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits()
	maria, ben := w.person("maria"), w.person("ben")
	w.sets(maria, "Orders", map[string]string{"Remind after waiting": "4 hours"}, "reminds after 4 hours")
	first := w.place(maria, "Forgotten")
	w.deliver(ben, first.ID)
	second := w.another(maria, "Decided")
	require.NoError(t, w.Photos.Deliver(second.ID))
	ben.SeesInThread("Decided", "Ready for review")

	w.later(5*time.Hour, first.ID)
	maria.SeesInThread("Forgotten", "Reminder: Forgotten")
	maria.SeesInThread("Forgotten", "@Maria it waits for your review")
	require.Zero(t, w.countInThread("Decided", "Reminder"), "it was delivered a moment ago")
	ben.OpenThread("Forgotten")
	ben.PressOn("Reminder: Forgotten", "Snooze 4 Hours")
	ben.SeesInThread("Forgotten", "Snoozed by Ben until")
	ben.SeesNoButtonOn("Reminder: Forgotten", "Snooze Until Tomorrow")
	ben.CloseThread()

	w.approve(ben, "Decided")
	w.later(5*time.Hour, first.ID, second.ID)
	w.until("the snooze is over", func() bool { return w.countInThread("Forgotten", "Reminder: Forgotten") == 2 })
	require.Zero(t, w.countInThread("Decided", "Reminder"), "nobody is waited for")
	require.Len(t, w.Workspace.Messages("#shoots"), 4, "two cards, and what asked for a review, twice: reminders stay in their threads")

	w.approve(maria, "Forgotten")
	maria.SeesInThread("Forgotten", "It waited for a review.")
	w.until("no reminder can be snoozed", func() bool { return !strings.Contains(maria.Screen(), "[Snooze Until Tomorrow]") })
	w.later(100*time.Hour, first.ID)
	w.quiet()
	require.Equal(t, 2, w.countInThread("Forgotten", "Reminder: Forgotten"))
}

// An order that is past its estimate, or that the service paused, says so once in a channel that wants to know.
func TestAnOrderThatIsLateOrPausedSaysSoOnce(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Photos.Turnaround = time.Second })
	w.shortWaits()
	maria := w.person("maria")
	w.sets(maria, "Orders", map[string]string{"Remind after waiting": "4 hours", "Threads": "Say when an order is late"}, "Late orders say so.")
	late := w.place(maria, "Slow")
	maria.SeesInThread("Slow", "Past its estimate: Slow")
	held := w.another(maria, "Held up")
	require.NoError(t, w.Photos.Pause(held.ID))
	maria.SeesInThread("Held up", "Paused by the photo service")
	w.later(5*time.Hour, late.ID, held.ID)
	maria.SeesInThread("Held up", "Reminder: Held up")
	maria.SeesInThread("Held up", "@Maria the photo service has paused this order")
	require.Equal(t, 1, w.countInThread("Slow", "Past its estimate"), "also after a restart")
	require.Zero(t, w.countInThread("Slow", "Reminder"), "nobody here is waited for")
}

// A channel that wants it reads one message a day, of all its orders; it is silent when there is nothing to say.
func TestAChannelReadsADigestOnceADay(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits()
	maria := w.person("maria")
	w.sets(maria, "Orders", map[string]string{"Remind after waiting": "4 hours"}, "reminds after 4 hours")
	waits := w.place(maria, "In the digest")
	w.deliver(maria, waits.ID)
	w.sets(maria, "Messages", map[string]string{"Morning digest": time.Now().UTC().Format("15:00"), "Time zone": "UTC"}, "A digest comes at")
	maria.Sees("This channel's open orders")
	maria.Sees("Waits for review")
	require.Equal(t, 1, w.digests("In the digest"))

	w.later(5*time.Hour, waits.ID) // and the app is another
	w.until("reminders were looked after, and digests before them", func() bool { return w.countInThread("In the digest", "Reminder") == 1 })
	require.Equal(t, 1, w.digests("In the digest"), "one a day")
}

// sets sets what holds for #shoots, and reads that it is kept.
func (w *world) sets(who *person.T, part string, choices map[string]string, says string) {
	w.t.Helper()
	opensSettings(who, part)
	for label, choice := range choices {
		who.Choose(label, choice)
	}
	savesSettings(who, says)
}

// later is that long afterwards, for these orders: all that happened to them was so long ago. The app begins anew.
func (w *world) later(long time.Duration, ids ...string) {
	w.t.Helper()
	rdb := asOperator(w.t, w.redis)
	w.app.stop()
	for _, id := range ids {
		key := "{darkroom}:events:" + id
		docs, err := rdb.LRange(w.t.Context(), key, 0, -1).Result()
		require.NoError(w.t, err)
		for i, doc := range docs {
			require.NoError(w.t, rdb.LSet(w.t.Context(), key, int64(i), earlier(w.t, doc, long)).Err())
		}
	}
	w.startApp()
}

// earlier is an event that happened so much earlier.
func earlier(t *testing.T, doc string, long time.Duration) string {
	t.Helper()
	var event map[string]any
	require.NoError(t, json.Unmarshal([]byte(doc), &event))
	for _, field := range []string{"at", "until"} {
		text, is := event[field].(string)
		if !is {
			continue
		}
		at, err := time.Parse(time.RFC3339Nano, text)
		require.NoError(t, err)
		event[field] = at.Add(-long).Format(time.RFC3339Nano)
	}
	changed, err := json.Marshal(event)
	require.NoError(t, err)
	return string(changed)
}

// digests counts the digests in #shoots that name an order.
func (w *world) digests(project string) (n int) {
	for _, m := range w.Workspace.Messages("#shoots") {
		if root(m) && strings.Contains(m.Text, "This channel's open orders") && strings.Contains(m.Text, project) {
			n++
		}
	}
	return n
}
