package stories

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/store/storetest"
)

// A Redis that answers and takes nothing new is away as one that does not answer is: what it
// took before waits, what is asked meanwhile is surely not taken and its person knows it, and
// nobody is told that something went wrong with what they did.
func TestRedisTakesNothingForAWhile(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		delivery      sandbox.Delivery
		setting       string
		refuse, serve string
		says          string
	}{
		"its memory is full": {sandbox.OverHTTP, "maxmemory", "1", "0", "Redis has no memory left"},
		"too few replicas":   {sandbox.OverSocket, "min-replicas-to-write", "1", "0", "Redis does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seated(t)
			redis := storetest.Start(t)
			w := openOver(t, redis.URL(), func(o *sandbox.Options) { o.Delivery = row.delivery })
			w.Workspace.Invite("#weddings", "darkroom")
			w.restart("OPS_CHANNEL=" + w.Workspace.Channel("#weddings").ID)
			maria, ben := w.person("maria"), w.person("ben")
			order := w.place(maria, "Refused")
			w.deliver(maria, order.ID)
			w.Photos.Down()
			maria.Type("/order message " + order.ID + " First.")
			maria.SeesDM("does not answer just now")
			ben.Type("/order message " + order.ID)
			ben.SeesModal("Message the editor")
			ben.Fill("Message", "By form.")

			require.NoError(t, redis.Client().ConfigSet(t.Context(), row.setting, row.refuse).Err())
			require.NoError(t, w.Photos.Up())
			maria.Type("/order message " + order.ID + " By line.")
			maria.SeesEphemeral("I could not confirm this. Submitting again is safe.")
			ben.Submit()
			ben.Sees("I could not confirm this. Submitting again is safe.")
			w.ops(row.says)
			require.Equal(t, http.StatusServiceUnavailable, w.ready(), "no click would be taken")
			require.Empty(t, w.read())

			require.NoError(t, redis.Client().ConfigSet(t.Context(), row.setting, row.serve).Err())
			w.ops("Redis answers again")
			w.until("a click would be taken", func() bool { return w.ready() == http.StatusOK }) // what Redis said counts for a second
			w.once("First.")
			maria.Type("/order message " + order.ID + " By line.")
			w.once("First.", "By line.")
			ben.Submit()
			ben.Sees("Sent to the editor")
			w.once("First.", "By line.", "By form.")
			require.Contains(t, w.dead(), "There are no dead letters")
			require.Zero(t, w.countTold("went wrong"))
		})
	}
}

// ready is how the app answers /readyz.
func (w *world) ready() int {
	w.t.Helper()
	resp, err := http.Get(w.app.url + "/readyz") //nolint:noctx // loopback
	require.NoError(w.t, err)
	require.NoError(w.t, resp.Body.Close())
	return resp.StatusCode
}
