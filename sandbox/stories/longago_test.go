package stories

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// An order that was approved long ago is kept small, and people notice nothing of it; when its
// time is over it is as if it had never been here, and the talk in the channel stays.
func TestAnOrderOfLongAgo(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits("RETENTION=2160h")
	rdb := asOperator(t, w.redis)
	maria := w.person("maria")
	order := w.place(maria, "Long ago")
	w.deliver(maria, order.ID)
	approveOn(maria, "Ready for review", "Long ago")
	maria.SeesInThread("Long ago", "Approved by Maria")
	big := w.weight(rdb, order.ID)

	w.passes(rdb, "finished", order.ID, 30*24*time.Hour)
	w.restart() // finished orders are looked after when the app begins, and every ten minutes
	require.Eventually(t, func() bool { return w.weight(rdb, order.ID) < big*2/3 }, patience, tick, "it shrinks by a third at least")
	maria.Type("/order show " + order.ID)
	maria.SeesEphemeral("Long ago")
	maria.SeesEphemeral("Edited photos")
	maria.SeesEphemeral("Approved by @Maria")
	maria.Type("/order list")
	maria.SeesEphemeral("Long ago")

	w.passes(rdb, "shrunk", order.ID, 91*24*time.Hour)
	w.restart()
	require.Eventually(t, func() bool { return w.weight(rdb, order.ID) == 0 }, patience, tick, "it leaves")
	maria.Type("/order show " + order.ID)
	maria.SeesEphemeral("There is no order")
	require.Equal(t, 1, w.countCards("Long ago"), "what the channel was told stays")
}

// passes lets time pass for a finished order.
func (w *world) passes(rdb redis.UniversalClient, list, id string, long time.Duration) {
	w.t.Helper()
	key := "{darkroom}:" + list
	require.Eventually(w.t, func() bool { return rdb.ZScore(w.t.Context(), key, id).Err() == nil }, patience, tick)
	require.NoError(w.t, rdb.ZAddXX(w.t.Context(), key, redis.Z{Score: float64(time.Now().Add(-long).UnixMilli()), Member: id}).Err())
}

// weight is what the record keeps of an order, in bytes. Its keys' content is read: the embedded Redis dumps strings only.
func (w *world) weight(rdb redis.UniversalClient, id string) (bytes int) {
	w.t.Helper()
	keys, err := rdb.Keys(w.t.Context(), "*"+id+"*").Result()
	require.NoError(w.t, err)
	for _, key := range keys {
		if strings.Contains(key, ":q:") {
			continue // a job
		}
		if value := valueOf(w.t, rdb, key); value != nil {
			bytes += len(fmt.Sprint(value))
		}
	}
	return bytes
}
