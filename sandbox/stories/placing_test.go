package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
	"darkroom/store/storetest"
)

// The answers of these services are lost, and what they have is hard to find.

func TestAnOrderWhoseNameTheServiceCutIsFound(t *testing.T) {
	t.Parallel()
	const name = "The whole of the Smith wedding at the lake house, and the day after it"
	w := open(t, func(o *sandbox.Options) { o.Photos.Names.Limit, o.Photos.NoKeywords = 50, true })
	w.Photos.Misbehave(photos.Create, photos.ResetAfterCommit(), 1)
	maria := w.person("maria")
	w.fillOrder(maria, name)
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("The whole of the Smith wedding", "Placed")
	require.Len(t, []rune(w.order().Project), 50)
	require.NotContains(t, w.thread("The whole of the Smith wedding")[0].Text, "[The", "people read the words, and the reference behind them")
}

func TestAnOrderIsFoundOnABusyAccountThatSearchesForNothing(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) {
		o.Photos.NoKeywords = true
		o.Photos.Crowd = photos.Crowd{Size: 20_000, Every: 2 * time.Second}
	})
	w.Photos.Misbehave(photos.Create, photos.ResetAfterCommit(), 1)
	w.Photos.Misbehave(photos.List, photos.Arrives(15), -1) // between one page and the next
	maria := w.person("maria")
	order := w.place(maria, "In a crowd")
	require.Contains(t, order.Project, "In a crowd [")
	require.Equal(t, 1, w.countCards("In a crowd"))
}

func TestAServiceThatSaysNoAndDoesItGetsNoSecondOrder(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Photos.Misbehave(photos.Create, photos.RefusesAfterCommit("The order could not be placed due to an unknown error."), 1)
	maria := w.person("maria")
	w.fillOrder(maria, "Refused and done")
	maria.Submit()
	maria.Sees("due to an unknown error")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("Refused and done", "Placed")
	w.order()
}

func TestAFormThatRedisForgotIsSubmittedAgain(t *testing.T) {
	t.Parallel()
	seated(t)
	redis := storetest.Start(t)
	w := openOver(t, redis.URL())
	maria := w.person("maria")
	w.fillOrder(maria, "Forgotten")
	mark := redis.Mark()
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()

	redis.Forget(mark)
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.Sees("unfinished order") // as far as Redis knows
	maria.Press("Continue")
	maria.SeesValue("Instructions", "Polish the gold.") // the form itself
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	w.quiet()
	w.order()
}

func TestAPermissionThatIsTakenAwayWhileAnOrderIsPlacedIsNamed(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.fillOrder(maria, "Unknown person")
	w.restart() // who she is was known
	w.Workspace.Misbehave("users.info", workspace.Fails("missing_scope"), 20)
	maria.Submit()
	maria.Sees("The order was not placed, and nothing was charged")
	maria.Sees("lack a permission")
	require.Empty(t, w.Photos.Orders())
}
