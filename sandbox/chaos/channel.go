package chaos

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// events name what a thread says of each deed at the service.
var events = map[string]string{
	photos.DeedPlaced: "Placed", photos.DeedMessage: "Message sent", photos.DeedEditor: "Editor wrote",
	photos.DeedReferences: "References added", photos.DeedDelivered: "Ready for review",
	photos.DeedPaused: "Paused", photos.DeedResumed: "Work goes on",
	photos.DeedRevised: "Changes requested", photos.DeedApproved: "Approved", photos.DeedCanceled: "Canceled",
}

// notice is one event as it should be shown, or is.
type notice struct {
	name  string // "Ready for review #2", "Message sent: the words"
	talk  bool   // part of the conversation
	quiet bool   // an editor's words, of which the app hears only with an answer to ours
	ts    string
}

// channel holds what a channel shows of an order against its history at the service.
func (c *comparison) channel(w *world, o photos.Order, healed time.Time) {
	place, project, known := w.placedFor(o)
	if !known {
		return // nobody of ours ordered it
	}
	cards, shown := w.thread(place, project, o)
	if len(cards) == 0 && w.nobodyKnows(o) {
		c.told++
		return
	}
	c.cards(w, o, cards)
	posts := c.row(rowPosts)
	due := history(o, healed)
	posts.did += len(shown)
	if w.cropsInDoubt(o) {
		due = excused(due)
	}
	c.count(o, due, shown)
	crops := w.pinnedOn(o) // they come beside the next delivery: one answer may tell of both
	posts.misplaced += c.disorder(o, due, shown, func(n notice) bool {
		return !n.quiet && !strings.HasPrefix(n.name, "Editor wrote") && (!crops || !strings.HasPrefix(n.name, "References added"))
	})
	posts.misplaced += c.disorder(o, due, shown, func(n notice) bool { return n.talk && strings.HasPrefix(n.name, "Editor wrote") })
	posts.misplaced += c.tooEarly(o, due, shown)
}

// placedFor is the channel that an order was placed for, and the name that it was given.
func (w *world) placedFor(o photos.Order) (channel, project string, known bool) {
	for _, a := range w.ledger.acts {
		if a.orders() && called(o.Asked, a.token) {
			return a.channel, a.token, true
		}
	}
	return "", "", false
}

// history is what the thread should say, in order.
func history(o photos.Order, healed time.Time) []notice {
	var due []notice
	heard := false // whatever the editor wrote before it has come back with an answer
	for _, d := range slices.Backward(o.History) {
		name, told := events[d.Kind]
		if !told {
			continue
		}
		heard = heard || d.Kind == photos.DeedMessage && d.At.After(healed)
		talk := d.Kind == photos.DeedMessage || d.Kind == photos.DeedEditor
		if talk {
			name += ": " + d.Words
		}
		due = append(due, notice{name: name, talk: talk, quiet: d.Kind == photos.DeedEditor && !heard})
	}
	slices.Reverse(due)
	return numbered(due)
}

// numbered tells events of the same name apart.
func numbered(all []notice) []notice {
	seen := map[string]int{}
	for i, n := range all {
		if n.talk {
			continue
		}
		seen[n.name]++
		all[i].name = fmt.Sprintf("%s #%d", n.name, seen[n.name])
	}
	return all
}

// thread is what the channel shows: the order's cards, and its events wherever they are.
func (w *world) thread(channel, project string, o photos.Order) (cards []workspace.Message, shown []notice) {
	var all []workspace.Message
	seen := map[string]bool{}
	for _, root := range w.Workspace.Messages(channel) {
		for _, m := range w.Workspace.Thread(channel, root.TS) {
			if m.BotID != "" && !isQuestion(m) && !isOfBatch(m) && !seen[m.TS] && about(m.Text, project, o) {
				seen[m.TS] = true
				all = append(all, m)
			}
		}
	}
	slices.SortFunc(all, func(a, b workspace.Message) int { return strings.Compare(a.TS, b.TS) })
	for _, m := range all {
		n, isEvent := noticeOf(m, o)
		switch {
		case isEvent:
			shown = append(shown, n)
		default:
			cards = append(cards, m)
		}
	}
	return cards, numbered(shown)
}

// noticeOf reads an event from a message of the app.
func noticeOf(m workspace.Message, o photos.Order) (notice, bool) {
	for _, event := range events {
		if !named(m, event) {
			continue
		}
		n := notice{name: event, ts: m.TS, talk: event == "Message sent" || event == "Editor wrote"}
		if n.talk {
			n.name += ": " + spoken(m, o)
		}
		return n, true
	}
	return notice{}, false
}

// spoken is which words of the conversation a message shows.
func spoken(m workspace.Message, o photos.Order) string {
	text := m.Text + words(m.Blocks)
	longest := ""
	for _, e := range o.Messages {
		if strings.Contains(text, e.Content) && len(e.Content) > len(longest) {
			longest = e.Content
		}
	}
	return longest
}

// count finds what is lost and what is there too often.
func (c *comparison) count(o photos.Order, due, shown []notice) {
	left := map[string]int{}
	for _, n := range shown {
		left[n.name]++
	}
	for _, n := range due {
		if left[n.name]--; left[n.name] >= 0 {
			continue
		}
		left[n.name] = 0
		if n.quiet {
			c.aside++
			continue
		}
		c.row(rowPosts).lost++
		c.say("order %s (%s): its channel does not show %q", o.ID, o.Project, n.name)
	}
	for name, n := range left {
		if n > 0 {
			c.row(rowPosts).doubled += n
			c.say("order %s (%s): its channel shows %q %d times too often", o.ID, o.Project, name, n)
		}
	}
}

// disorder counts the events that would have to move for the thread to be in the order of
// the history.
func (c *comparison) disorder(o photos.Order, due, shown []notice, of func(notice) bool) int {
	place := map[string]int{}
	for i, n := range due {
		if of(n) {
			place[n.name] = i + 1
		}
	}
	var order []int
	var names []string
	for _, n := range shown {
		if at := place[n.name]; at > 0 && of(n) {
			order, names = append(order, at), append(names, n.name)
		}
	}
	moved := len(order) - longestRise(order)
	if moved > 0 {
		c.say("order %s (%s): shown in another order than it happened: %s", o.ID, o.Project, strings.Join(names, ", "))
	}
	return moved
}

// tooEarly counts words of the editor that are shown before a message of ours which they
// followed. The other way round is no fault: when the answer to a message of ours was lost,
// what the editor had written before it came back with a later one.
func (c *comparison) tooEarly(o photos.Order, due, shown []notice) int {
	place := map[string]int{}
	for i, n := range due {
		place[n.name] = i
	}
	early := 0
	for i, editor := range shown {
		for _, later := range shown[i+1:] {
			if editor.talk && later.talk && strings.HasPrefix(editor.name, "Editor wrote") && strings.HasPrefix(later.name, "Message sent") &&
				place[later.name] < place[editor.name] {
				early++
				c.say("order %s (%s): %q is shown before %q, which came first", o.ID, o.Project, editor.name, later.name)
			}
		}
	}
	return early
}

// longestRise is the length of the longest run of places that grow.
func longestRise(order []int) int {
	best := make([]int, len(order))
	longest := 0
	for i := range order {
		best[i] = 1
		for j := range i {
			if order[j] < order[i] {
				best[i] = max(best[i], best[j]+1)
			}
		}
		longest = max(longest, best[i])
	}
	return longest
}

// truths are the words of a card for each status.
var truths = map[string]string{
	"editing": "Being edited", "revising": "Changes being made", "reviewing": "Ready for review", "closed": "Approved", "canceled": "Canceled",
}

// cards wants one card that tells how the order stands.
func (c *comparison) cards(w *world, o photos.Order, cards []workspace.Message) {
	row := c.row(rowCards)
	row.did++
	if len(cards) == 0 {
		row.lost++
		c.say("order %s (%s): there is no card", o.ID, o.Project)
		return
	}
	if len(cards) > 1 {
		row.doubled += len(cards) - 1
		c.say("order %s (%s): there are %d cards", o.ID, o.Project, len(cards))
	}
	if says := words(cards[0].Blocks); !strings.Contains(says, "*"+truths[o.Status]+"*") {
		row.lost++
		c.say("order %s (%s): is %s, and its card does not say so; %s", o.ID, o.Project, o.Status, w.story(cards[0]))
	}
}

// story is what was done to a card last: when, with what outcome, and what it said then.
func (w *world) story(card workspace.Message) string {
	var lines []string
	for _, r := range w.Workspace.Requests() {
		if r.Args["ts"] == card.TS && r.Method == "chat.update" {
			said := "?"
			for status, truth := range truths {
				if strings.Contains(fmt.Sprint(r.Args["blocks"]), "*"+truth+"*") {
					said = status
				}
			}
			lines = append(lines, fmt.Sprintf("%s edited: %s (%d %s)", r.At.Format(clock), said, r.Status, r.Error))
		}
	}
	return strings.Join(lines[max(0, len(lines)-6):], ", ")
}
