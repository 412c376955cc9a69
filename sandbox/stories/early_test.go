package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

// relaysReplies lets #shoots send every reply in an order's thread to its editor.
func relaysReplies(who *person.T) {
	opensSettings(who, "Messages")
	who.Choose("What reaches the editor", "Every reply in an order's thread")
	savesSettings(who, "Every reply in an order's thread goes to the editor")
}

// placeUnanswered orders photos whose card comes, while Slack's answer to its post is lost: for
// fifteen seconds the app does not know what became of it.
func (w *world) placeUnanswered(who *person.T, project string) {
	w.t.Helper()
	w.fillOrder(who, project)
	w.Workspace.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
	who.Submit()
	who.Sees("Order placed")
	who.CloseModal()
	who.Sees(project)
}

func TestWhatIsSaidUnderACardThatIsNotYetKnownReachesTheEditor(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	relaysReplies(maria)
	w.another(maria, "Before")
	maria.OpenThread("Before")
	maria.Type("her first reply waits, so that she may take it back")
	maria.SeesReaction("her first reply waits", "white_check_mark")
	maria.CloseThread()
	said := func() []string { return saidOn(w.called("Early words")) }
	w.placeUnanswered(maria, "Early words")
	maria.OpenThread("Early words")
	maria.Type("@darkroom is the horizon straight?")
	maria.Type("softer shadows, please")
	maria.Type("// not this one")
	maria.MessageShortcut("not this one", "Send to editor")
	require.Eventually(t, func() bool { return len(said()) == 3 }, patience, tick)
	maria.EditMessage("softer shadows, please", "harder shadows, please")
	maria.SeesDM("cannot take it back")
	require.Equal(t, 0, w.countInThread("Early words", "Placed"), "the card is in doubt all the while")
	require.ElementsMatch(t, []string{"is the horizon straight?", "softer shadows, please", "// not this one"}, said())

	maria.SeesInThread("Early words", "Placed")
	for _, words := range []string{"is the horizon straight?", "harder shadows, please", "not this one"} {
		maria.SeesReaction(words, "white_check_mark")
	}
	maria.Type("later words")
	maria.SeesReaction("later words", "white_check_mark")
	require.Len(t, said(), 4, "nothing twice")
	require.Equal(t, 1, w.countCards("Early words"))
}

func TestWhoTalksInTheThreadOfACardThatWasMovedAwayHearsThatNobodyListens(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Invite("#studio", "darkroom")
	maria := w.person("maria")
	relaysReplies(maria)
	order := w.place(maria, "Gone elsewhere")
	maria.Type("/order move " + order.ID)
	maria.SeesModal("Move order")
	maria.Choose("Move to", "#studio")
	maria.Submit()
	maria.Sees("Moved: Gone elsewhere")
	maria.CloseModal()
	maria.Goto("#studio")
	maria.SeesInThread("Gone elsewhere", "Moved by Maria")
	maria.Goto("#shoots")

	maria.OpenThread("Gone elsewhere")
	maria.Type("softer shadows, please")
	maria.Sees("This thread no longer belongs to its order, so nothing was sent")
	maria.Type("anybody?")
	maria.Type("@darkroom hello?")
	require.Eventually(t, func() bool { return told(w, "no longer belongs to its order") == 2 }, patience, tick)
	require.Empty(t, w.said())
	for _, e := range w.Workspace.Ephemerals("maria") {
		require.NotContains(t, e.Text, "#studio")
	}

	// In a thread among people nothing is said to anybody, unless they call the app.
	maria.CloseThread()
	maria.Type("where shall we have lunch?")
	maria.OpenThread("where shall we have lunch?")
	maria.Type("here")
	maria.Type("@darkroom what do you think?")
	maria.Sees("Mention me with photos to order their editing")
	require.Equal(t, 1, told(w, "Mention me with photos to order their editing"))
	require.Empty(t, w.said())
}

// told is how often maria alone was told that.
func told(w *world, words string) (n int) {
	for _, e := range w.Workspace.Ephemerals("maria") {
		if strings.Contains(e.Text, words) {
			n++
		}
	}
	return n
}
