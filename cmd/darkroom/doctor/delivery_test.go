package doctor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/store"
)

func TestDeliveryBySocketModeAlone(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, row := range map[string]struct {
		event, clicked time.Time
		state          State
		says           string
	}{
		"nothing":           {time.Time{}, time.Time{}, Red, "Nothing of Slack's ever arrived."},
		"clicks":            {time.Time{}, now, Yellow, "no event ever did"},
		"clicks for days":   {now.Add(-26 * time.Hour), now, Yellow, "no event has come since"},
		"events and clicks": {now.Add(-20 * time.Hour), now, Green, "Slack reaches the app"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := DeliveryOf(map[store.Inbound]time.Time{store.InboundStart: now, store.InboundEvent: row.event, store.InboundCommand: row.clicked, store.InboundUnverified: now}, false, now)
			assert.Equal(t, row.state, found.State)
			assert.Contains(t, found.Message, row.says)
			assert.NotContains(t, found.Fix, "Retry", "there is no request URL")
			assert.Equal(t, row.state != Green, found.Missing)
		})
	}
}
