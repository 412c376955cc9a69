package stories

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/former"
	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
)

// A form that one version opened is submitted to the other, a button of one version's message is pressed
// before the other, and what one has begun the other ends: first upwards, then back. What happens when both
// run at the same time is for sandbox/chaos.
func TestWhatOneVersionBeganTheOtherEnds(t *testing.T) {
	t.Parallel()
	inCheck(t)
	from := os.Getenv(former.Variable)
	old, err := former.Build(t.Context(), t.TempDir(), from, "production")
	if errors.Is(err, former.ErrNone) {
		require.Empty(t, from, err)
		t.Skip("NOT RUN, there is nothing to upgrade from: ", err)
	}
	require.NoError(t, err)
	t.Log("upgraded from ", old)
	for name, versions := range map[string][2]string{"upgrade": {old.Binary, binary}, "rollback": {binary, old.Binary}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seated(t)
			w := openWith(t, versions[0], itsRedis(t))
			maria, olga := w.person("maria"), w.person("olga")
			// Whatever makes a version doubt that Redis remembers has a form looked for before it is sent, which
			// takes up to three minutes: so does a name of Redis' run that the other version gives it.
			ben := person.In(t, w.Workspace, "ben", person.Options{Patience: 4 * time.Minute})
			w.placed(maria, "In work")
			w.placed(maria, "In review")
			w.delivered(maria, "In review")
			w.placed(maria, "Paused")
			require.NoError(t, w.Photos.Pause(w.called("Paused").ID))
			maria.SeesInThread("Paused", "Paused")
			maria.Type("/order settings")
			maria.SeesModal("Channel settings")
			maria.Choose("What reaches the editor", "Every reply in an order's thread")
			maria.Submit()
			closeAll(maria)
			w.fillOrder(ben, "Opened before")
			olga.PressOn("Ready for review: In review", "Request changes")
			olga.SeesModal("Request changes")
			olga.Fill("All other images", "Warmer, please.")
			w.Photos.Down()
			maria.Type("/order message " + w.called("In work").ID + " Waits for the service.")
			maria.SeesDM("does not answer just now")

			w.app.stop()
			w.binary = versions[1]
			w.startApp()
			require.NoError(t, w.Photos.Up())
			maria.SeesInThread("In work", "Waits for the service.")
			ben.Submit()
			ben.Sees("Order placed")
			closeAll(ben)
			ben.SeesInThread("Opened before", "Placed")
			olga.Submit()
			olga.Sees("Changes requested: In review")
			closeAll(olga)
			olga.SeesInThread("In review", "Changes requested by @Olga")
			require.NoError(t, w.Photos.Deliver(w.called("In review").ID))
			olga.SeesInThread("In review", "round 2")
			olga.PressOn("In review", "Approve")
			olga.Submit()
			olga.Sees("The order is closed")
			closeAll(olga)
			olga.SeesInThread("In review", "Approved by @Olga")
			require.NoError(t, w.Photos.Resume(w.called("Paused").ID))
			maria.SeesInThread("Paused", "Work goes on")
			maria.OpenThread("In work")
			maria.Type("The channel relays every reply.")
			maria.SeesInThread("In work", "The channel relays every reply.")
			maria.CloseThread()
			maria.PressOn("Opened before", "Cancel order")
			maria.SeesModal("Cancel order")
			maria.Submit()
			maria.Sees("Canceled: Opened before")
			closeAll(maria)
			maria.SeesInThread("Opened before", "Canceled by @Maria")
			w.quiet()

			require.Len(t, w.Photos.Orders(), 4)
			require.Equal(t, 1, w.called("In review").Approvals)
			require.Len(t, w.called("In review").Revisions, 1)
			require.Equal(t, 1, w.saidTo(w.called("In work").ID, "Waits for the service."))
			require.Equal(t, 1, w.saidTo(w.called("In work").ID, "The channel relays every reply."))
			for _, project := range []string{"In work", "In review", "Paused", "Opened before"} {
				require.Equal(t, 1, w.countCards(project), project)
				w.onceEach(project)
			}
			require.Contains(t, w.jobs(), "No job is set aside")
			require.Equal(t, 1, w.asked(photos.Cancel))
		})
	}
}
