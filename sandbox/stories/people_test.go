package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/workspace"
)

// partners is a Slack on Grid, where #joint belongs to another organisation, which shares it
// with ours: Tom is of that organisation, Sibyl a colleague from a sibling workspace, and Gil
// a colleague of whom Slack tells no workspace. #ours has full members only.
func partners(o *sandbox.Options) {
	o.Workspace.Enterprise = "E0GRID"
	o.Workspace.Users = append(workspace.DefaultUsers(),
		workspace.User{ID: "U0SIBYL", Name: "sibyl", RealName: "Sibyl", Team: "T0SIBLING", Enterprise: "E0GRID", Teams: []string{"T0SIBLING"}},
		workspace.User{ID: "U0GIL", Name: "gil", RealName: "Gil", Teamless: true, Enterprise: "E0GRID", Teams: []string{"T0SANDBOX"}},
		workspace.User{ID: "U0THEO", Name: "theo", RealName: "Theo", Team: "T0ELSEWHERE", Teamless: true},
	)
	o.Workspace.Channels = append(workspace.DefaultChannels(),
		workspace.Channel{ID: "C0JOINT", Name: "joint", Host: "T0ELSEWHERE", Members: []string{"maria", "ben", "sibyl", "gil", "tom", "theo", "ines", "darkroom"}},
		workspace.Channel{ID: "C0OURS", Name: "ours", Members: []string{"maria", "ben", "sibyl", "gil", "darkroom"}},
		workspace.Channel{ID: "C0TWO", Name: "mpdm-maria--ben-1", Private: true, Group: true, Members: []string{"maria", "ben"}},
	)
}

func TestPartnersSeeAndColleaguesAct(t *testing.T) {
	t.Parallel()
	w := open(t, partners)
	maria, sibyl, gil := w.person("maria"), w.person("sibyl"), w.person("gil")
	maria.Goto("#joint")
	order := w.another(maria, "Joint venture")
	maria.DoesNotSee("credits left") // not where partners read
	for _, name := range []string{"tom", "theo", "ines"} {
		outsider := w.person(name)
		outsider.Goto("#joint")
		outsider.Press("Cancel order")
		outsider.Press("Cancel Order")
		outsider.SeesDM("may look at orders but not change them")
		outsider.OpenThread("Joint venture")
		outsider.Type("@darkroom cancel it")
		outsider.SeesDM("may look at orders but not write")
	}
	sibyl.Goto("#joint")
	sibyl.OpenThread("Joint venture")
	sibyl.Type("@darkroom mind the sky")
	sibyl.SeesReaction("mind the sky", "white_check_mark")
	require.Len(t, w.order().Messages, 1, "the colleague's words")
	sibyl.CloseThread()

	gil.Goto("#joint")
	gil.Press("Cancel order")
	gil.Press("Cancel Order")
	gil.SeesInThread("Joint venture", "Canceled by Gil")
	w.quiet()
	require.Equal(t, "canceled", w.order().Status)
	require.Equal(t, order.ID, w.order().ID)
}

func TestCreditsAreTheAccounts(t *testing.T) {
	t.Parallel()
	w := open(t, partners)
	maria, ines, olga := w.person("maria"), w.person("ines"), w.person("olga")
	maria.Goto("#ours")
	w.another(maria, "Among us")
	maria.SeesInThread("Among us", "119 credits left.")
	maria.Type("/order move " + w.order().ID + " <#C0JOINT|joint>")
	maria.SeesEphemeral("shared with other organizations")
	maria.Press("Move This Order")
	maria.SeesModal("Move order")
	maria.Check("Share it")
	maria.Submit()
	maria.Sees("Moved: Among us")
	maria.CloseModal()

	ines.Type("/order balance")
	ines.SeesEphemeral("Guests may look at orders but not read the account's credits")
	ines.OpenHome()
	ines.Sees("Guests may look at orders")
	ines.DoesNotSee("credits left")
	maria.Goto("#shoots")
	maria.Type("/order balance")
	maria.SeesEphemeral("Credits left")
	opensSettings(olga, "All channels")
	olga.Choose("Who sees the account's credits", "Operators only")
	savesSettings(olga, "Only operators see the account's credits.")
	maria.Type("/order balance")
	maria.SeesEphemeral("Only operators")
	olga.Type("/order balance")
	olga.SeesEphemeral("Credits left")
}

func TestWhoLeavesIsOutAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Surprise")
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesInThread("Surprise", "Ready for review")
	ben.PressOn("Ready for review", "Approve with feedback")
	ben.SeesModal("Approve order")
	ben.Sees("Feedback")
	ben.OpenHome()
	require.NoError(t, w.Workspace.Window("ben").Leave("#shoots"))
	ben.Submit()
	ben.Sees("There is no order")
	ben.CloseModal()
	ben.DoesNotSee("Surprise")
	require.Equal(t, "reviewing", w.order().Status)
}

func TestAFormOpensWhateverSlackTakesToNameMembers(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) {
		o.Workspace.Channels = workspace.DefaultChannels()
		o.Workspace.Channels[0].Crowd = 5000
	})
	maria := w.person("maria")
	order := w.place(maria, "Many eyes")
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesInThread("Many eyes", "Ready for review")
	maria.CloseThread()
	w.Workspace.Misbehave("conversations.members", workspace.Slow(4*time.Second), 3)
	w.Workspace.Misbehave("users.conversations", workspace.Slow(4*time.Second), 3)
	maria.Type("/order approve")
	maria.SeesModal("Approve order")
	maria.Sees("Many eyes")
	maria.Submit()
	maria.Sees("The order is closed")
}

func TestAGroupDirectMessageSaysWhereOrdersLive(t *testing.T) {
	t.Parallel()
	w := open(t, partners)
	maria := w.person("maria")
	maria.Goto("mpdm-maria--ben-1")
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.SeesEphemeral("Orders live in channels")
	maria.CloseModal()
	maria.Type("/order settings")
	maria.SeesModal("Channel settings")
	maria.Sees("Settings belong to a channel")
	maria.CloseModal()
	maria.Type("/order list")
	maria.SeesEphemeral("You have no orders yet")
}
