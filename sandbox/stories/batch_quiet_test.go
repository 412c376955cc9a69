package stories

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

// disturbance counts what a channel shows of the app at its top, which of that is a reply that was also sent there, and
// how often a person is mentioned in all of it and its threads.
func (w *world) disturbance(channel, user string) (top, broadcasts, mentions int) {
	seen := map[string]bool{}
	count := func(m workspace.Message) {
		if !seen[m.TS] {
			seen[m.TS] = true
			mentions += strings.Count(m.Text, "<@"+user+">")
		}
	}
	for _, m := range w.Workspace.Messages(channel) {
		if m.BotID == "" {
			continue
		}
		top++
		if m.Broadcast {
			broadcasts++
		}
		count(m)
		for _, reply := range w.Workspace.Thread(channel, m.TS) {
			count(reply)
		}
	}
	return top, broadcasts, mentions
}

// cardsInThread counts the cards of a project in the thread of a file's card.
func (w *world) cardsInThread(file, project string) (n int) {
	for _, m := range w.thread(file) {
		payload, _ := m.Metadata["event_payload"].(map[string]any)
		if payload["event"] == "card" && strings.Contains(m.Text, project) {
			n++
		}
	}
	return n
}

// placesTen has somebody place ten orders with one file.
func (w *world) placesTen(who *person.T) {
	w.t.Helper()
	lines := []string{"name,images"}
	for i, address := range w.addresses(10) {
		lines = append(lines, fmt.Sprintf("Shoot %02d,%s", i+1, address))
	}
	handsIn(who, table("spring.csv", lines...))
	who.Sees("10 orders, 10 photos")
	who.Submit()
	who.SeesDM("Every order is placed: 10 orders.")
	closeAll(who)
}

// Ten orders of one file are a card and a message about their deliveries, not twenty posts. People find each order in
// the card's list and in its thread.
func TestTenOrdersOfOneFileDisturbTheirChannelLittle(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	w.placesTen(maria)
	ben.Sees("10 orders · 10 being edited")
	for i := range 10 {
		project := fmt.Sprintf("Shoot %02d", i+1)
		ben.SeesInThread("spring.csv", "Placed")
		ben.SeesInThread("spring.csv", project)
		require.Equal(t, 1, w.cardsInThread("spring.csv", project))
		require.NoError(t, w.Photos.Deliver(w.called(project).ID))
	}
	ben.Sees("10 ready for review")
	ben.SeesBroadcast("Ready for review: 10 orders")
	top, broadcasts, mentions := w.disturbance("#shoots", "U0MARIA")
	t.Logf("ten orders, all delivered: %d messages at the top, %d of them broadcast, %d mentions of who ordered", top, broadcasts, mentions)
	require.LessOrEqual(t, top, 3)
	require.Equal(t, 1, broadcasts)

	ben.Press("Show Orders")
	ben.SeesModal("Orders")
	ben.Sees("Shoot 10")
	ben.PressOn("Shoot 01", "Show Details")
	ben.Sees("Brighten the sky.")
	closeAll(ben)
	ben.Type("/order approve " + w.called("Shoot 03").ID)
	ben.SeesModal("Approve order")
	ben.Submit()
	ben.Sees("The order is closed")
	closeAll(ben)
	ben.Sees("9 ready for review · 1 approved")
	ben.Sees("Shoot 03 · approved") // where the channel was told of it

	ben.OpenThread("spring.csv") // it belongs to ten orders
	ben.Type("@darkroom is this for all of them?")
	ben.Sees("This thread has several orders, so nothing was sent to an editor.")
	require.Empty(t, w.called("Shoot 01").Messages)
}

// Wherever a channel wants its updates, a file of ten orders is one card there. Their deliveries are one message: in the
// channel, in the card's thread, or to who ordered.
func TestAFileOfTenObeysWhereUpdatesAppear(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string]struct {
		says            string
		top, broadcasts int
		calls, direct   int // mentions of Maria in the channel, and messages about deliveries to her alone
	}{
		"In the channel":                   {says: "Updates appear in the channel.", top: 2, broadcasts: 1, calls: 1},
		"In the thread only":               {says: "Updates stay in the thread.", top: 1, calls: 1},
		"By direct message to who ordered": {says: "Updates come by direct message", top: 1, direct: 1},
	} {
		t.Run(choice, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			maria := w.person("maria")
			told := 0
			if choice != "In the channel" { // which holds from the start
				setsNews(maria, choice, want.says)
				told = 1
			}
			w.placesTen(maria)
			for _, o := range w.Photos.Orders() {
				require.NoError(t, w.Photos.Deliver(o.ID))
			}
			maria.Sees("10 ready for review")
			maria.SeesInThread("spring.csv", "Ready for review: 10 orders")
			w.quiet()
			top, broadcasts, calls := w.disturbance("#shoots", "U0MARIA")
			require.Equal(t, []int{want.top, want.broadcasts, want.calls}, []int{top - told, broadcasts, calls})
			direct := 0
			for _, m := range w.Workspace.DMs("maria") {
				if strings.Contains(m.Text, "Ready for review") {
					direct++
				}
			}
			require.Equal(t, want.direct, direct)
		})
	}
}
