package commands

import (
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
)

// moves submits the move that was opened last.
func (r *rig) moves(user, to string, confirmed bool) string {
	r.t.Helper()
	fields := map[string]slack.BlockAction{"moveto": {SelectedConversation: to}}
	if confirmed {
		fields["widen"] = slack.BlockAction{SelectedOptions: []slack.OptionBlockObject{{Value: to}}}
	}
	q := r.completed(fields)
	q.User = user
	reply, err := r.handle(r.t.Context(), q)
	require.NoError(r.t, err)
	r.settle(2 * time.Second)
	if reply.Body != nil {
		if answer := text(reply.Body); !containsAll(answer, "Moving the order") {
			return answer
		}
	}
	return readable(r.screen.modal())
}

func TestALineMovesAnOrderAtOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", inStatus(order.StatusClosed))
		done := r.says("maria", "C1", "move order001 <#CPUBLIC|public>")
		require.Contains(r.t, done, "is in <#CPUBLIC> now", "who asked for it may, and a closed one, too")
		require.Equal(r.t, "CPUBLIC", r.stored("order001").Owner.Channel)
		require.Contains(r.t, r.says("boss", "CPUBLIC", "move order001 CPUBLIC"), "in <#CPUBLIC> already")
		require.Contains(r.t, r.says("boss", "CPUBLIC", "move order001 C1"), "is in <#C1> now")
		require.Equal(r.t, 3, r.stored("order001").Owner.Generation)
		require.Empty(r.t, r.screen.views)
	})
}

func TestWhoMayMoveAnOrderAndWhere(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", nil)
		for _, row := range []struct{ user, channel, line, says string }{
			{"tom", "C1", "move order001 CPUBLIC", "Only operators and the person who asked"},
			{"ines", "C1", "move order001 CPUBLIC", "Guests"},
			{"maria", "C1", "move order001 CATTIC", "archived"},
			{"maria", "C1", "move order001 CAWAY", "invite me"},
			{"boss", "C1", "move order001 <#CWEDDING|>", "is in <#CWEDDING> now"},
			{"maria", "CWEDDING", "move order001 CPUBLIC", "everybody in the workspace"},
			{"chief", "CPUBLIC", "move order001 CPUBLIC", "There is no order"},
			{"tom", "CPUBLIC", "move order001 C1", "There is no order"},
		} {
			require.Contains(r.t, r.says(row.user, row.channel, row.line), row.says, row.line)
		}
		require.Equal(r.t, "CWEDDING", r.stored("order001").Owner.Channel)
	})
}

func TestNobodyOutsideTheNewChannelMovesAnOrderThere(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "tom", nil)
		require.Contains(r.t, r.says("tom", "C1", "move order001 CWEDDING"), "not a member of <#CWEDDING>")
		require.Equal(r.t, "C1", r.stored("order001").Owner.Channel)
	})
}

func TestWhatWasPrivateBecomesPublicOnlyAfterAYes(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "CWEDDING", "maria", nil)
		asked := r.says("maria", "CWEDDING", "move order001 CPUBLIC")
		require.True(r.t, containsAll(asked, "everybody in the workspace", "Move this order"))
		block := cutOut(r.screen.lastTold(), `"block_id":"`, `"`)
		opened := r.does(bot.Request{Name: cards.ActionMove, Value: cards.Value("order001", 0), BlockID: block, Channel: "CWEDDING"})
		require.True(r.t, containsAll(opened, "Move to", "Make it public", `"initial_conversation":"CPUBLIC"`), opened)

		again := r.moves("maria", "CPUBLIC", false)
		require.Contains(r.t, again, "Make it public", "asked again")
		require.Equal(r.t, "CWEDDING", r.stored("order001").Owner.Channel)
		require.Contains(r.t, r.moves("maria", "CPUBLIC", true), "is in <#CPUBLIC> now")
		require.Equal(r.t, "CPUBLIC", r.stored("order001").Owner.Channel)
	})
}

func TestTheFormSaysWhyAChannelCannotHaveTheOrder(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", nil)
		opened := r.says("maria", "C1", "move order001 #weddings")
		require.Contains(r.t, opened, "Choose a channel", "only Slack knows that name")
		refused := r.moves("maria", "CATTIC", false)
		require.True(r.t, containsAll(refused, "was not moved", "archived", `"initial_conversation":"CATTIC"`), refused)
		require.Contains(r.t, r.moves("maria", "D1", false), "direct message")
		require.Contains(r.t, r.moves("tom", "CPUBLIC", false), "Only operators")
		require.Contains(r.t, r.moves("maria", "CPUBLIC", false), "is in <#CPUBLIC> now")
	})
}

func TestAnOrderWhoseChannelIsOutOfReachIsMovedFromTheDirectMessage(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "CAWAY", "maria", nil)
		press := bot.Request{Name: cards.ActionMove, Value: cards.Value("order001", 0), Channel: "D1"}
		press.BlockID = "aB3d9" // one that Slack made up
		opened := r.does(press)
		require.Contains(r.t, opened, "Move to")
		require.NotContains(r.t, opened, "was not moved", "no channel was named yet")
		require.Contains(r.t, r.moves("maria", "C1", false), "Make it public", "nobody could look into its old channel")
		require.Contains(r.t, r.moves("maria", "C1", true), "is in <#C1> now")

		r.owns("order002", "CAWAY", "maria", nil)
		press.Value, press.User = cards.Value("order002", 0), "tom"
		require.Contains(r.t, r.does(press), "There is no order")
	})
}

func TestAMoveThatDiedIsNotRefusedAsDoneAlready(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", nil)
		body := jobs.MoveArgs{Order: "order001", To: "CPUBLIC", Team: "T1", User: "maria"}
		for _, first := range []bool{true, false} {
			view, err := r.jobs.Moved(r.t.Context(), body, first)
			require.NoError(r.t, err)
			require.Contains(r.t, readable(text(view)), "is in <#CPUBLIC> now")
		}
		events, err := r.store.Events(r.t.Context(), "order001")
		require.NoError(r.t, err)
		require.Equal(r.t, []order.EventKind{order.EventPlaced, order.EventMoved}, []order.EventKind{events[0].Kind, events[1].Kind})
		require.Len(r.t, events, 2)
	})
}
