package announce_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// gone deactivates an account.
func (r *rig) gone(name string) {
	u := r.w.User(name)
	u.Deleted = true
	r.w.SetUser(u)
}

// An undelivered notification is logged once.
func TestAnOrderOfNobodyIsInTheLog(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	var log strings.Builder
	r.config.Log = slog.New(slog.NewTextHandler(&log, nil))
	r.place(t, shoots)
	r.gone("maria")
	r.w.Archive("shoots")
	r.unreachable(t, 3)
	require.Equal(t, 1, strings.Count(log.String(), "an order belongs to nobody"))
	offer, err := r.Documents.Offer(t.Context(), must(r.Orders.Order(t.Context(), orderID)))
	require.NoError(t, err)
	require.Equal(t, store.Offer{Generation: 1, Operators: true, Told: true}, offer, "operators may see it")
}

// A deactivated requester is named, a forgotten one is not, and a colleague who took over is mentioned.
func TestNewsForWhoIsGoneOffersToTakeTheOrderOver(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.gone("maria")
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	review := func() string {
		all := r.w.Thread(shoots, must(r.Orders.Order(t.Context(), orderID)).CardTS)
		for _, m := range all {
			if eventOf(m) == "ready:r0" {
				return fmt.Sprint(m.Text, m.Blocks)
			}
		}
		return ""
	}
	require.Contains(t, review(), "*Maria* has left this workspace.")
	require.Contains(t, review(), "Take Over")
	require.NotContains(t, review(), "<@U0MARIA>")
	_, err := r.Changes.TakeOver(t.Context(), orderID, "U0MARIA", "U0BEN")
	require.NoError(t, err)
	r.announce(t)
	require.Contains(t, review(), "<@U0BEN>")
	require.NotContains(t, review(), "Take Over")
	require.Equal(t, []string{"card", "placed", "ready:r0", "taken:v3"}, r.thread(t, shoots))
	require.Contains(t, fmt.Sprint(r.w.Thread(shoots, must(r.Orders.Order(t.Context(), orderID)).CardTS)[0].Blocks), "for Ben", "the card, too")

	r.gone("ben")
	r.happens(t, order.StatusRevising, 1)
	r.happens(t, order.StatusReviewing, 1)
	r.w.Misbehave("users.info", workspace.Fails("internal_error"), 1)
	r.announce(t)
	require.Contains(t, r.thread(t, shoots), "ready:r1", "whether somebody is here holds no news up")
}

// must returns an existing value.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
