package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/seal"
)

// The account is read for each request. While that fails, nothing is sent or refused. An accepted order is placed later.
func TestAnAccountThatCannotBeReadIsNoRefusal(t *testing.T) {
	for name, err := range map[string]error{"sealed with another key": seal.ErrUnknownKey, "Redis is away": queue.ErrNoServer} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Service.Set(func(f *commandstest.Service) {
					f.NextCreate = append(f.NextCreate, func(func() order.Order) (order.Order, error) { return order.Order{}, err })
				})
				r.Types("new")
				r.Submits()
				require.Equal(r.T, store.DraftPlacing, r.Draft().State)
				r.Settle(time.Minute)
				require.Equal(r.T, store.DraftPlaced, r.Draft().State)
				require.Equal(r.T, 1, r.Draft().Attempt)
			})
		})
	}
}
