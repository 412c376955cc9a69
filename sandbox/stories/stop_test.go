package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

// Whoever replaces replicas while Redis is away reads no failure where there is none, and nothing is lost.
func TestAReplicaThatIsStoppedWhileRedisIsAwayHasNotFailed(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ away, back func(*storetest.Server) }{
		"gone":   {(*storetest.Server).Kill, (*storetest.Server).Restart},
		"frozen": {(*storetest.Server).Freeze, (*storetest.Server).Thaw},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seated(t)
			redis := storetest.Start(t)
			w := openOver(t, redis.URL())
			maria := w.person("maria")
			order := w.place(maria, "Stopped")
			w.Photos.Down()
			maria.Type("/order message " + order.ID + " Before the stop.")
			maria.SeesDM("does not answer just now")
			row.away(redis)
			w.app.stop() // requires that it exits with 0
			require.Contains(t, w.app.said(), "what is left is still in it")
			row.back(redis)
			require.NoError(t, w.Photos.Up())
			w.startApp()
			w.once("Before the stop.")
		})
	}
}
