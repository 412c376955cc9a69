package stories

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// until waits for something and tells how long it took, to a few milliseconds.
func (w *world) until(what string, done func() bool) time.Duration {
	w.t.Helper()
	began := time.Now()
	require.Eventually(w.t, done, patience, tick, what)
	return time.Since(began)
}

// asked counts the requests of one kind that the service got.
func (w *world) asked(op photos.Op) int {
	n := 0
	for _, r := range w.Photos.Requests() {
		if r.Op == op {
			n++
		}
	}
	return n
}

// A poll that a replica had under way when it went is another's soon, and the channel hears what it would have heard.
func TestThePollOfAReplicaThatGoesIsTakenOver(t *testing.T) {
	t.Parallel()
	goings := map[string]struct {
		end    func(*process)
		within time.Duration
	}{
		"killed":  {(*process).kill, 10 * time.Second},
		"stopped": {(*process).stop, 4 * time.Second},
	}
	for name, going := range goings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			maria := w.person("maria")
			order := w.place(maria, "Watched by two")
			require.NoError(t, w.Photos.Deliver(order.ID))
			w.Photos.Misbehave(photos.Fetch, photos.HangAfterCommit(), 1)
			before := w.asked(photos.Fetch)
			w.until("a poll is under way", func() bool { return w.asked(photos.Fetch) > before })
			heir := w.launch()
			old := w.app
			w.app = heir
			w.Workspace.SetAppURL(heir.url)
			told := time.Now()
			going.end(old)
			left := time.Now()
			w.until("the other one polls", func() bool { return w.asked(photos.Fetch) > before+1 })
			taken := time.Since(left)
			w.Photos.Release()
			t.Logf("%s (%v): the other replica polls %v later", name, left.Sub(told).Round(time.Millisecond), taken.Round(time.Millisecond))
			require.Less(t, taken, going.within)
			maria.SeesBroadcast("Ready for review")
			require.Equal(t, 1, w.countInThread("Watched by two", "Ready for review"))
		})
	}
}

func TestTheWorkOfAReplicaThatGoesIsTakenUp(t *testing.T) {
	t.Parallel()
	goings := map[string]struct {
		end    func(*process)
		within time.Duration // from its end; of the lease of a lane at least four seconds are left
	}{
		"killed":  {(*process).kill, 30 * time.Second},
		"stopped": {(*process).stop, 4 * time.Second},
	}
	for name, going := range goings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			maria := w.person("maria")
			w.place(maria, "Taken up")
			w.Photos.Misbehave(photos.Message, photos.HangAfterCommit(), 1)
			maria.Type("/order message")
			maria.SeesModal("Message the editor")
			maria.Fill("Message", "Said in between.")
			maria.Submit()
			w.until("it is in hand", func() bool { return w.asked(photos.Message) == 1 })

			heir := w.launch()
			old := w.app
			w.app = heir
			w.Workspace.SetAppURL(heir.url)
			told := time.Now()
			going.end(old)
			left := time.Now()
			w.until("the other one takes it up", func() bool { return w.asked(photos.Message) == 2 })
			taken := time.Since(left)
			w.Photos.Release()
			t.Logf("%s (%v): the other replica has the lane %v later", name, left.Sub(told).Round(time.Millisecond), taken.Round(time.Millisecond))
			require.Less(t, taken, going.within)
			maria.Sees("Sent to the editor")
			maria.CloseModal()
			maria.SeesInThread("Taken up", "Message sent by Maria")
			require.Equal(t, []string{"Said in between."}, w.said())
			require.Equal(t, 1, w.countInThread("Taken up", "Message sent"))
		})
	}
}

func TestAChannelsBacklogGoesOnWhereAReplicaLeftIt(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Much to say")
	const words = 9
	for n := range words {
		maria.Type(fmt.Sprintf("/order message %s Number %d.", order.ID, n))
	}
	w.until("all is sent", func() bool { return len(w.said()) == words })
	posted := func(n int) func() bool {
		return func() bool { return w.countInThread("Much to say", "Message sent") >= n }
	}
	w.until("a few are told", posted(3))
	heir := w.launch()
	old := w.app
	w.app = heir
	w.Workspace.SetAppURL(heir.url)
	told := time.Now()
	old.stop()
	left := time.Now()
	w.until("all are told", posted(words))

	var gaps []time.Duration
	var last time.Time
	limited := 0
	for _, r := range w.Workspace.Requests() {
		if r.Method != "chat.postMessage" {
			continue
		}
		if r.Error != "" {
			limited++
		}
		if !last.IsZero() && last.After(told.Add(-2*time.Second)) {
			gaps = append(gaps, r.At.Sub(last))
		}
		last = r.At
	}
	t.Logf("stopped within %v; the longest silence in the channel from then on: %v, the shortest %v; %d posts refused",
		left.Sub(told).Round(time.Millisecond), slices.Max(gaps).Round(time.Millisecond), slices.Min(gaps).Round(time.Millisecond), limited)
	require.Less(t, slices.Max(gaps), 4*time.Second, "the lane is handed over, and not found after a lease of six seconds")
	require.Zero(t, limited)
	for n := range words {
		require.Equal(t, 1, w.countWords("Much to say", fmt.Sprintf("Number %d.", n)))
	}
}

// countWords counts the replies of the card that hold these words.
func (w *world) countWords(card, words string) int {
	n := 0
	for _, m := range w.thread(card) {
		if strings.Contains(m.Text, words) {
			n++
		}
	}
	return n
}

// restarts are how often each replica is replaced in a rolling restart.
const restarts = 3

// crew are the channels of a story with much to do, one for each person.
var crew = map[string]string{"maria": "one", "ben": "two", "olga": "three"}

func TestARollingRestartUnderLoadLosesNothingAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	const each = 2
	w := open(t, func(o *sandbox.Options) {
		o.Delivery = sandbox.OverSocket // each replica dials out: Slack spreads over all
		for name, channel := range crew {
			o.Workspace.Channels = append(o.Workspace.Channels, workspace.Channel{
				ID: "C0" + strings.ToUpper(channel), Name: channel, Members: []string{name, "darkroom"},
			})
		}
		slices.SortFunc(o.Workspace.Channels, func(a, b workspace.Channel) int { return cmp.Compare(a.ID, b.ID) })
	})
	done := make(chan struct{})
	t.Run("at once", func(t *testing.T) {
		people := make(chan struct{}, len(crew))
		for name, channel := range crew {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				defer func() { people <- struct{}{} }()
				own := *w
				own.t = t
				own.works(name, channel, each)
			})
		}
		go func() {
			defer close(done)
			for range crew {
				<-people
			}
		}()
		t.Run("the operator", func(t *testing.T) {
			t.Parallel()
			n := w.rolls(t, restarts, done)
			t.Logf("%d replicas were replaced by others meanwhile", n)
		})
	})
	require.Len(t, w.Photos.Orders(), each*len(crew), "orders at the service")
	for name, channel := range crew {
		for n := range each {
			w.requireCourse("#"+channel, fmt.Sprintf("%s %d", name, n))
		}
	}
}

// submits presses the button as often as Slack says that it had trouble connecting: the replica that
// had the form in hand was replaced, and the form stands as it was filled in. On a busy machine replicas
// are replaced faster than it recovers.
func (w *world) submits(who *person.T, name string) {
	for range 4 * restarts {
		who.Submit()
		if form, open := w.Workspace.Window(name).Modal(); !open || form.Notice == "" {
			return
		}
	}
}

// works is a person's day: orders from the form to the approval.
func (w *world) works(name, channel string, orders int) {
	who := w.person(name)
	who.Goto("#" + channel)
	for n := range orders {
		project := fmt.Sprintf("%s %d", name, n)
		w.fillOrder(who, project)
		w.submits(who, name)
		who.Sees("Order placed")
		who.CloseModal()
		who.SeesInThread(project, "Placed")
		order := w.called(project)
		who.Type("/order message " + order.ID + " About " + project)
		who.SeesInThread(project, "Message sent")
		require.NoError(w.t, w.Photos.Deliver(order.ID))
		who.SeesInThread(project, "Ready for review")
		who.Type("/order approve " + order.ID)
		who.SeesModal("Approve order")
		w.submits(who, name)
		who.Sees("The order is closed")
		closeAll(who)
		who.SeesInThread(project, "Approved")
	}
}

// called is the order of that project.
func (w *world) called(project string) photos.Order {
	w.t.Helper()
	orders := w.Photos.Orders()
	i := slices.IndexFunc(orders, func(o photos.Order) bool { return strings.HasPrefix(o.Project, project+" [") })
	require.GreaterOrEqual(w.t, i, 0, project)
	return orders[i]
}

// rolls replaces each of three replicas by a new one, one after the other, again and again
// until the people are done, and at least that often.
func (w *world) rolls(t *testing.T, least int, done <-chan struct{}) int {
	replicas := []*process{w.app, w.launch(), w.launch()}
	var n int
	for over := false; !over || n < least; n++ {
		next := w.launch()
		select {
		case <-done:
			over = true
		case <-time.After(time.Second):
		}
		oldest := replicas[0]
		replicas = append(replicas[1:], next)
		began := time.Now()
		oldest.stop()
		require.Less(t, time.Since(began), 10*time.Second, "Docker would have killed it")
	}
	w.app = replicas[0]
	for _, p := range replicas[1:] {
		p.stop()
	}
	return n
}

// requireCourse requires that a channel shows an order's course once, in order.
func (w *world) requireCourse(channel, project string) {
	w.t.Helper()
	cards := slices.DeleteFunc(w.Workspace.Messages(channel), func(m workspace.Message) bool {
		return !root(m) || !strings.Contains(m.Text, project+"\n")
	})
	require.Len(w.t, cards, 1, "cards of %s", project)
	var course []string
	for _, m := range w.Workspace.Thread(channel, cards[0].TS)[1:] {
		payload, _ := m.Metadata["event_payload"].(map[string]any)
		kind, _, _ := strings.Cut(fmt.Sprint(payload["event"]), ":")
		course = append(course, kind)
	}
	require.Equal(w.t, []string{"placed", "message", "ready", "approved"}, course, project)
	order := w.called(project)
	require.Equal(w.t, 1, order.Approvals)
	require.Len(w.t, order.Messages, 1)
}
