package stories

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
)

// noise is what a channel's messages were when they were posted; an edit calls nobody.
type noise struct {
	inChannel int            // messages at the top of the channel, broadcast replies among them
	inThreads int            // other replies
	broadcast int            // replies that the channel shows, too
	calls     map[string]int // messages that mention a person, by their name
}

var mention = regexp.MustCompile(`<@([UW][A-Z0-9]+)`)

// noise reads what the app posted in a conversation so far.
func (w *world) noise(conversation string) noise {
	w.t.Helper()
	heard := noise{calls: map[string]int{}}
	for _, r := range w.Workspace.Requests() {
		if r.Method != "chat.postMessage" || r.Status != http.StatusOK || r.Error != "" || r.Args["channel"] != conversation {
			continue
		}
		switch thread, _ := r.Args["thread_ts"].(string); {
		case thread == "":
			heard.inChannel++
		case fmt.Sprint(r.Args["reply_broadcast"]) == "true":
			heard.inChannel++
			heard.broadcast++
		default:
			heard.inThreads++
		}
		raw, err := json.Marshal(r.Args)
		require.NoError(w.t, err)
		called := map[string]bool{}
		for _, found := range mention.FindAllStringSubmatch(strings.ReplaceAll(string(raw), `\u003c`, "<"), -1) {
			called[w.Workspace.User(found[1]).RealName] = true
		}
		for name := range called {
			heard.calls[name]++
		}
	}
	return heard
}

// twoRounds is the life of an order of twelve images: Ben asks for changes once, and approver approves the second round.
func (w *world) twoRounds(maria, ben, approver *person.T, project string) {
	w.t.Helper()
	order := w.placeImages(maria, project, 12)
	require.NoError(w.t, w.Photos.Deliver(order.ID))
	ben.SeesInThread(project, "Ready for review")
	ben.PressOn("Ready for review", "Request Changes")
	ben.SeesModal("Request changes")
	ben.Fill("All other photos", "Straighten it.")
	ben.Submit()
	ben.Sees("Everybody in #shoots can see your request.")
	ben.CloseModal()
	require.NoError(w.t, w.Photos.Deliver(order.ID))
	maria.SeesInThread(project, "round 2")
	approver.Type("/order approve " + order.ID)
	approver.SeesModal("Approve order")
	approver.Submit()
	approver.Sees("The order is closed")
	approver.CloseModal()
	maria.SeesInThread(project, "Approved by")
	require.Eventually(w.t, func() bool { return strings.Contains(w.app.metrics(), "\ndarkroom_queue_jobs 0\n") }, patience, tick)
}

// setsNews chooses where updates of #shoots appear, and waits until the channel was told.
func setsNews(who *person.T, choice, says string) {
	who.Goto("#shoots")
	opensSettings(who, "Messages")
	who.Choose("News", choice)
	savesSettings(who, says)
	who.Sees("changed the settings")
}

// A mention calls somebody, so it is only for who must act now: once a round. What people did themselves names them.
func TestTwoRoundsCallWhoMustActOnceEach(t *testing.T) {
	t.Parallel()
	for name, life := range map[string]struct {
		settings func(w *world, olga *person.T)
		approver string
		heard    noise // in the channel
		direct   int   // messages to Maria alone
	}{
		"as it is": {
			approver: "maria",
			heard:    noise{inChannel: 3, inThreads: 3, broadcast: 2, calls: map[string]int{"Maria": 2}},
		},
		"with an approver": {
			settings: func(_ *world, olga *person.T) {
				names(olga, "Who approves", "@Olga")
				olga.Sees("changed the settings")
			},
			approver: "olga",
			heard:    noise{inChannel: 3, inThreads: 3, broadcast: 2, calls: map[string]int{"Olga": 2}},
		},
		"in the thread only": {
			settings: func(_ *world, olga *person.T) {
				setsNews(olga, "In the thread only", "Updates stay in the thread.")
			},
			approver: "maria",
			heard:    noise{inChannel: 1, inThreads: 5, calls: map[string]int{"Maria": 2}},
		},
		"by direct message": {
			settings: func(_ *world, olga *person.T) {
				setsNews(olga, "By direct message to who ordered", "Updates come by direct message")
			},
			approver: "maria",
			heard:    noise{inChannel: 1, inThreads: 5, calls: map[string]int{}},
			direct:   3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			maria, ben := w.person("maria"), w.person("ben")
			if life.settings != nil {
				life.settings(w, w.person("olga"))
			}
			before := w.noise("C0SHOOTS")
			w.twoRounds(maria, ben, w.person(life.approver), "Twelve of them")
			heard := w.noise("C0SHOOTS")
			heard.inChannel -= before.inChannel // a settings change is said, too
			heard.inThreads -= before.inThreads
			require.Equal(t, life.heard, heard)
			require.Len(t, w.Workspace.DMs("maria"), life.direct)
			require.Contains(t, w.thread("Twelve of them")[0].Text, "for Maria", "who ordered is named all the same")
		})
	}
}
