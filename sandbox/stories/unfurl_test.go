package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// referenceOf is what people call an order by.
func referenceOf(order photos.Order) string {
	return order.Project[strings.LastIndex(order.Project, "["):]
}

// answers counts the replies below a message.
func (w *world) answers(channel, message string) int {
	w.t.Helper()
	for _, m := range w.Workspace.Messages(channel) {
		if root(m) && strings.HasPrefix(m.Text, message) {
			return len(w.Workspace.Thread(channel, m.TS)) - 1
		}
	}
	require.FailNow(w.t, "no message "+message)
	return 0
}

// Who writes an order's reference in a channel that wants it is answered in that message's thread, once an hour; never
// where somebody is who may not see the order, and nowhere as long as nobody wanted it.
func TestAReferenceInAMessageIsAnsweredWhereAllMaySeeTheOrder(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits()
	maria, ben := w.person("maria"), w.person("ben")
	harbour := w.place(maria, "Harbour")
	maria.Type("Nobody asked about " + referenceOf(harbour))
	for _, channel := range []string{"#weddings", "#studio"} {
		w.Workspace.Invite(channel, "darkroom")
	}
	maria.Goto("#studio") // Maria and Ben alone
	vault := w.another(maria, "Vault")

	maria.Goto("#shoots")
	w.sets(maria, "Orders", map[string]string{"Threads": "Answer codes such as [K7Q2XM]"}, "Order codes in messages are answered.")
	maria.Type("The secret " + referenceOf(vault))

	ben.Goto("#weddings") // Maria and Ben again
	w.sets(ben, "Orders", map[string]string{"Threads": "Answer codes such as [K7Q2XM]"}, "Order codes in messages are answered.")
	w.Workspace.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
	ben.Type("How are " + referenceOf(harbour) + " and " + referenceOf(vault) + "?")
	ben.SeesInThread("How are", "Harbour")
	ben.SeesInThread("How are", "Vault")
	ben.Type("And now " + referenceOf(harbour))
	w.quiet()
	require.Equal(t, 1, w.answers("#weddings", "How are"))
	require.Equal(t, 0, w.answers("#weddings", "And now"), "they know")
	require.Equal(t, 0, w.answers("#shoots", "Nobody asked"))
	require.Equal(t, 0, w.answers("#shoots", "The secret"), "Olga is in #shoots and not in #studio")

	w.Workspace.Invite("#weddings", "olga")
	maria.Goto("#studio")
	second := w.another(maria, "Attic")
	ben.Type("What of " + referenceOf(second))
	w.quiet()
	require.Equal(t, 0, w.answers("#weddings", "What of"), "Olga is there now")
}
