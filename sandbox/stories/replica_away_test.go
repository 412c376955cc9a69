package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

// With wait_replicas in REDIS_URL, what a replica does not have yet is not promised, and
// nothing is sent that builds upon it.
func TestTheReplicaOfRedisIsAwayForAWhile(t *testing.T) {
	t.Parallel()
	const confirm = "I could not confirm this. Submitting again is safe."
	seated(t)
	redis, replica := storetest.Start(t), storetest.Start(t)
	replica.Follow(redis)
	w := openOver(t, redis.URL()+"?wait_replicas=1&wait_timeout=200ms")
	w.Workspace.Invite("#weddings", "darkroom")
	w.restart("OPS_CHANNEL=" + w.Workspace.Channel("#weddings").ID)
	require.Contains(t, w.app.said(), "rarer, not impossible")
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Copied") // while all is well, nobody notices
	w.fillOrder(ben, "Not yet")

	replica.Freeze()
	maria.Type("/order message " + order.ID + " By line.")
	maria.SeesEphemeral(confirm)
	ben.Submit()
	ben.Sees(confirm)
	w.ops("Too few Redis replicas confirm") // ten seconds later
	require.Empty(t, w.read(), "nothing was sent")
	require.Len(t, w.Photos.Orders(), 1)

	replica.Thaw()
	w.ops("Redis answers again")
	w.once("By line.")       // it was kept after all: it goes on by itself
	ben.Sees("Order placed") // and so was the form, with its job
	closeAll(ben)
	ben.SeesInThread("Not yet", "Placed")
	w.quiet()
	require.Equal(t, []string{"By line."}, w.read(), "once")
	require.Len(t, w.Photos.Orders(), 2)
	require.Contains(t, w.dead(), "There are no dead letters")
}
