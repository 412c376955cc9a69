package stories

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
	"darkroom/store/storetest"
)

var asks = flag.Int("asks", 3, "how often each thing is asked for where it is told what a look costs; 200 to measure")

// look is something that only shows, and how a person knows that it is there.
type look struct {
	name, line string
	method     string   // of Slack's, by whose arrival it is there; "": it is whispered
	calls      []string // of Slack's, that it takes
}

// A look is answered by the process that heard it: no job is put, and Slack is called as
// little as can be. With -v and -asks=200 this prints what a look costs.
func TestWhatALookCosts(t *testing.T) {
	t.Parallel()
	seated(t)
	redis := storetest.Start(t)
	w := openOver(t, redis.URL())
	maria := w.person("maria")
	order := w.place(maria, "Costs")
	w.deliver(maria, order.ID)
	w.quiet()
	idle := w.redisRate(redis, 2*time.Second)
	for _, l := range []look{
		{name: "help", line: "/order help"},
		{name: "list", line: "/order list", calls: []string{"conversations.members"}},
		{name: "show, with pictures", line: "/order show " + order.ID, calls: []string{"conversations.members", "response_url"}},
		{name: "the order form", line: "/order new", method: "views.open", calls: []string{"users.info", "views.open", "views.update"}},
		{
			name: "the approval", line: "/order approve " + order.ID, method: "views.open",
			calls: []string{"conversations.members", "users.info", "views.open", "views.update"},
		},
	} {
		w.looked(redis, l, *asks, idle)
	}
}

// looked asks for it so often, one after the other, and logs what that cost.
func (w *world) looked(redis *storetest.Server, l look, times int, idle float64) {
	w.t.Helper()
	win := w.Workspace.Window("maria")
	before, called, began := storetest.Spending(w.t, redis.Client()), len(w.Workspace.Requests()), time.Now()
	waits := make([]time.Duration, times)
	for i := range waits {
		waits[i] = w.lookOnce(win, l)
	}
	sent := float64(storetest.Spending(w.t, redis.Client()).Less(before).Commands) - idle*time.Since(began).Seconds()
	calls := map[string]int{}
	for _, r := range w.Workspace.Requests()[called:] {
		calls[r.Method]++
	}
	require.Equal(w.t, l.calls, slices.Sorted(maps.Keys(calls)), l.name)
	slices.Sort(waits)
	w.t.Logf("%-20s %5.1f Redis commands, Slack calls %v / %d, p50 %s", l.name, sent/float64(times), calls, times, waits[len(waits)/2].Round(10*time.Microsecond))
}

// lookOnce is how long it took until it was there.
func (w *world) lookOnce(win *workspace.Window, l look) time.Duration {
	w.t.Helper()
	said, called, began := len(w.Workspace.Ephemerals("maria")), len(w.Workspace.Requests()), time.Now()
	require.NoError(w.t, win.Command("#shoots", l.line))
	if l.method == "" {
		require.Eventually(w.t, func() bool { return len(w.Workspace.Ephemerals("maria")) > said }, patience, time.Millisecond/4, l.line)
		return time.Since(began)
	}
	require.Eventually(w.t, func() bool {
		v, open := win.Modal()
		return open && !strings.Contains(fmt.Sprint(v.Blocks), "One moment")
	}, patience, time.Millisecond/4, l.line)
	require.NoError(w.t, win.CloseModal())
	opened := slices.IndexFunc(w.Workspace.Requests()[called:], func(r workspace.Request) bool { return r.Method == l.method })
	require.GreaterOrEqual(w.t, opened, 0)
	return w.Workspace.Requests()[called+opened].At.Sub(began)
}

// redisRate is how many commands a second Redis is sent when nobody asks for anything.
func (w *world) redisRate(redis *storetest.Server, over time.Duration) float64 {
	before := storetest.Spending(w.t, redis.Client())
	<-time.After(over)
	return float64(storetest.Spending(w.t, redis.Client()).Less(before).Commands) / over.Seconds()
}
