package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

func TestWhoMayMoveAnOrderAndWhere(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		for _, row := range []struct{ user, channel, line, says string }{
			{"tom", "C1", "move order001 CPUBLIC", "Only operators and the requester"},
			{"ines", "C1", "move order001 CPUBLIC", "Guests"},
			{"maria", "C1", "move order001 CATTIC", "archived"},
			{"maria", "C1", "move order001 CAWAY", "Invite me"},
			{"boss", "C1", "move order001 <#CWEDDING|>", "is in <#CWEDDING> now"},
			{"maria", "CWEDDING", "move order001 CPUBLIC", "Everybody in the workspace"},
			{"chief", "CPUBLIC", "move order001 CPUBLIC", "There is no order"},
			{"tom", "CPUBLIC", "move order001 C1", "There is no order"},
		} {
			require.Contains(r.T, r.Says(row.user, row.channel, row.line), row.says, row.line)
		}
		require.Equal(r.T, "CWEDDING", r.Stored("order001").Owner.Channel)
	})
}

// A person who may not approve in a channel cannot move its orders to a channel where they may.
func TestOutOfAChannelWithApproversAnOrderIsMovedByOneOfThem(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks(r, store.Decides{})
		for _, row := range []struct{ user, says string }{
			{"maria", "Only tom and operators move orders out of <#C1>"}, // who asked for it
			{"tom", "is in <#CPUBLIC> now"},
			{"boss", "is in <#CPUBLIC> now"}, // an operator
		} {
			id := "of" + row.user
			r.Owns(id, "C1", "maria", nil)
			require.Contains(r.T, r.Says(row.user, "C1", "move "+id+" CPUBLIC"), row.says)
			require.Equal(r.T, row.user != "maria", r.Stored(id).Owner.Channel == "CPUBLIC", row.user)
		}
		require.Contains(r.T, r.Says("maria", "CPUBLIC", "move oftom C1"), "is in <#C1> now", "into it anybody may who may move it")
	})
}

func TestNobodyOutsideTheNewChannelMovesAnOrderThere(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "tom", nil)
		require.Contains(r.T, r.Says("tom", "C1", "move order001 CWEDDING"), "not a member of <#CWEDDING>")
		require.Equal(r.T, "C1", r.Stored("order001").Owner.Channel)
	})
}

func TestTheFormSaysWhyAChannelCannotHaveTheOrder(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		opened := r.Says("maria", "C1", "move order001 #weddings")
		require.Contains(r.T, opened, "Choose a channel", "only Slack knows that name")
		refused := r.Moves("maria", "CATTIC", false)
		require.True(r.T, commandstest.ContainsAll(refused, "was not moved", "archived", `"initial_conversation":"CATTIC"`), refused)
		require.Contains(r.T, r.Moves("maria", "D1", false), "direct message")
		require.Contains(r.T, r.Moves("tom", "CPUBLIC", false), "Only operators")
		require.Contains(r.T, r.Moves("maria", "CPUBLIC", false), "is in <#CPUBLIC> now")
	})
}

func TestAMoveThatDiedIsNotRefusedAsDoneAlready(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		body := jobs.MoveArgs{Asker: answers.Asker{Team: "T1", User: "maria"}, Order: "order001", To: "CPUBLIC"}
		for _, first := range []bool{true, false} {
			view, err := r.Jobs.Moved(r.T.Context(), body, first)
			require.NoError(r.T, err)
			require.Contains(r.T, commandstest.Readable(commandstest.Text(view)), "is in <#CPUBLIC> now")
		}
		events, err := r.Store.Orders.Events(r.T.Context(), "order001")
		require.NoError(r.T, err)
		require.Equal(r.T, []order.EventKind{order.EventPlaced, order.EventMoved}, []order.EventKind{events[0].Kind, events[1].Kind})
		require.Len(r.T, events, 2)
	})
}
