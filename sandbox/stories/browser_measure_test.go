package stories

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"darkroom/sandbox/browser"
	"darkroom/sandbox/workspace"
)

var widths = []browser.Look{{}, {Phone: true}}

// TestWhatTheWaysTake prints a table of what each way takes of the one who walks it and of the channel that is beside them. It
// is no story: DARKROOM_MEASURE=1 measures.
func TestWhatTheWaysTake(t *testing.T) {
	if os.Getenv("DARKROOM_MEASURE") == "" {
		t.Skip("DARKROOM_MEASURE=1 measures")
	}
	fmt.Println("| way | messages in the channel | in threads | broadcasts | to her alone | called | clicks | keys | words of windows + channel | channel at 1280, 390 | windows at 1280, 390 |\n|-|-|-|-|-|-|-|-|-|-|-|")
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			w := walks(t)
			m := measure{walker: w}
			began := w.channel()
			from, only := len(w.Workspace.Requests()), len(w.Workspace.Ephemerals("maria"))
			w.look = m.step
			way.walk(w)
			if t.Failed() {
				return
			}
			ended := w.channel()
			said := m.posted(from)
			fmt.Printf("| %s | %d | %d | %d | %d | %s | %d | %d | %d + %d | %d, %d | %s |\n", way.title,
				said.top, said.thread, said.broadcast, len(w.Workspace.Ephemerals("maria"))-only, said.mentions(),
				w.clicks, w.keys, m.words, ended.words-began.words, ended.tall[0]-began.tall[0], ended.tall[1]-began.tall[1], strings.Join(m.windows, "<br>"))
		})
	}
}

// measure is what a way has taken so far.
type measure struct {
	*walker
	words   int // read in windows
	windows []string
}

// step measures the window on the screen, wide and on a phone.
func (m *measure) step(name string) {
	var tall []string
	var words int
	for _, l := range widths {
		m.Turn(l)
		m.Settle()
		top := m.top()
		tall, words = append(tall, fmt.Sprint(top.Tall)), max(words, top.Words)
	}
	m.Turn(browser.Look{})
	m.Settle()
	if top := m.top(); top.Title != "" {
		m.words += words
		m.windows = append(m.windows, fmt.Sprintf("%s: %s (%d words)", name, strings.Join(tall, ", "), words))
	}
}

// channel is how high the messages of the channel are, in pixels, and how many words can be read in them.
type channel struct {
	tall  []int
	words int
}

func (w *walker) channel() (c channel) {
	const list = `document.querySelector("[aria-label='Messages in #shoots']")`
	for _, l := range widths {
		w.Turn(l)
		w.Settle()
		c.tall = append(c.tall, browser.Evaluate[int](w.T, "Math.round("+list+".getBoundingClientRect().height)"))
	}
	w.Turn(browser.Look{})
	w.Settle()
	c.words = len(strings.Fields(browser.Evaluate[string](w.T, list+".innerText")))
	return c
}

// posts are what the app has posted in the channel.
type posts struct {
	top, thread, broadcast int // top with broadcasts, as one sees them
	called                 map[string]int
}

var mentioned = regexp.MustCompile(`<@(U\w+)`)

// posted are the posts since then. An edit calls nobody in Slack, so whom a message calls is what it said when it was posted.
func (m *measure) posted(from int) posts {
	p := posts{called: map[string]int{}}
	shoots := m.Workspace.Channel("shoots").ID
	for _, r := range m.Workspace.Requests()[from:] {
		if r.Method != "chat.postMessage" || r.Error != "" || r.Args["channel"] != shoots {
			continue
		}
		inThread, shown := fmt.Sprint(r.Args["thread_ts"]) != "<nil>", fmt.Sprint(r.Args["reply_broadcast"]) == "true"
		switch {
		case shown:
			p.top, p.broadcast = p.top+1, p.broadcast+1
		case inThread:
			p.thread++
		default:
			p.top++
		}
		for id := range m.calls(r) {
			p.called[m.Workspace.User(id).Name]++
		}
	}
	return p
}

// calls are the people whom a post calls.
func (m *measure) calls(r workspace.Request) map[string]bool {
	all := map[string]bool{}
	for _, found := range mentioned.FindAllStringSubmatch(fmt.Sprint(r.Args["text"], r.Args["blocks"]), -1) {
		if !m.Workspace.User(found[1]).Bot {
			all[found[1]] = true
		}
	}
	return all
}

// mentions says who is called by how many messages.
func (p posts) mentions() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(p.called)) {
		all = append(all, fmt.Sprintf("@%s %d", name, p.called[name]))
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}
