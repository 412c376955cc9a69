package notifier_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
)

// asked is a question to Olga about an order of #shoots.
func asked(t *testing.T) (r *rig, d *queue.Delivery) {
	t.Helper()
	r = newRig(t, workspace.Options{})
	h := store.Hold{
		Draft: "d1", Attempt: 1, Team: "T0SANDBOX", Channel: shoots, User: "U0MARIA", Why: store.HoldOrder,
		Name: "Spring windows", Images: 2, Cost: decimal.NewFromInt(2), Limit: 1, Asks: []string{"U0OLGA"}, At: time.Now(),
	}
	require.NoError(t, r.AskHold(t.Context(), h))
	return r, delivery(store.HoldKind, store.HoldJob{Hold: h.ID()}, shoots)
}

// questions counts those in the channel.
func (r *rig) questions() (n int) {
	for _, m := range r.w.Messages(shoots) {
		if strings.Contains(m.Text, "May this order be placed?") {
			n++
		}
	}
	return n
}

// Approvers are asked once, whatever becomes of the post.
func TestApproversAreAskedOnce(t *testing.T) {
	t.Parallel()
	for name, mishap := range mishaps() {
		slacks(t, name, func(t *testing.T) {
			t.Helper()
			r, d := asked(t)
			mishap(r)
			r.finishes(t, d)
			require.Equal(t, 1, r.questions())
			r.finishes(t, d)
			require.Equal(t, 1, r.questions(), "it is edited from then on")
		})
	}
}

// A worker that died after it had left its mark may have asked: the channel is read before it asks again.
func TestAQuestionOfAWorkerThatDiedIsLookedFor(t *testing.T) {
	t.Parallel()
	r, d := asked(t)
	died := []byte(`{"posting":"` + time.Now().Add(-time.Minute).Format(time.RFC3339) + `"}`)
	d.State = died
	r.finishes(t, d)
	require.Equal(t, 1, r.questions(), "it had not")
	require.NoError(t, r.Delete(t.Context(), store.HoldPostedNote("d1.1")), "nor noted that it had")
	d.State = died
	r.finishes(t, d)
	require.Equal(t, 1, r.questions(), "it had")
}
