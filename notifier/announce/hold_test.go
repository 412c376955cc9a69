package announce_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/notifier/announce"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
)

// asked is a question to Olga about an order in #shoots.
func asked(t *testing.T) (r *rig, d *queue.Delivery) {
	t.Helper()
	r = newRig(t, workspace.Options{})
	h := store.Hold{
		Draft: "d1", Attempt: 1, Team: "T0SANDBOX", Channel: shoots, User: "U0MARIA", Why: store.HoldOrder,
		Name: "Spring windows", Images: 2, Cost: decimal.NewFromInt(2), Limit: 1, Asks: []string{"U0OLGA"}, At: time.Now(),
	}
	require.NoError(t, r.Holds.AskHold(t.Context(), h))
	return r, delivery(store.HoldKind, store.HoldJob{Hold: h.ID()}, shoots)
}

// questions counts the questions in the channel.
func (r *rig) questions() (n int) {
	for _, m := range r.w.Messages(shoots) {
		if strings.Contains(m.Text, "May this order be placed?") {
			n++
		}
	}
	return n
}

// Approvers are asked once, whatever happens to the post.
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

// A worker that died after its mark may have posted the question: the channel is read before it posts
// again.
func TestAQuestionOfAWorkerThatDiedIsLookedFor(t *testing.T) {
	t.Parallel()
	r, d := asked(t)
	died := []byte(`{"posting":"` + time.Now().Add(-time.Minute).Format(time.RFC3339) + `"}`)
	d.State = died
	r.finishes(t, d)
	require.Equal(t, 1, r.questions(), "it had not")
	require.NoError(t, r.Documents.Delete(t.Context(), store.HoldPostedDoc("d1.1")), "nor noted that it had")
	d.State = died
	r.finishes(t, d)
	require.Equal(t, 1, r.questions(), "it had")
}

// standing returns the question's text in the channel.
func (r *rig) standing() (shown []string) {
	for _, m := range r.w.Messages(shoots) {
		if payload, _ := m.Metadata["event_payload"].(map[string]any); payload["hold"] == "d1.1" {
			shown = append(shown, blockText(m))
		}
	}
	return shown
}

// An answer is shown in the question. If the question was deleted or cannot be edited, the answer holds
// without it.
func TestAnAnswerIsShownWhereTheQuestionStands(t *testing.T) {
	t.Parallel()
	const question, answer = "May this order be placed?", "Allowed by Olga"
	for name, test := range map[string]struct {
		happens func(r *rig, ts string)
		shown   string // empty: nothing
	}{
		"it stands":               {func(*rig, string) {}, answer},
		"somebody deleted it":     {func(r *rig, ts string) { r.w.DeleteMessage(shoots, ts) }, ""},
		"it is too late to edit":  {func(r *rig, _ string) { r.w.Misbehave("chat.update", workspace.Fails("edit_window_closed"), 9) }, question},
		"it is another app's now": {func(r *rig, _ string) { r.w.Misbehave("chat.update", workspace.Fails("cant_update_message"), 9) }, question},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, d := asked(t)
			r.finishes(t, d)
			require.Len(t, r.standing(), 1)
			require.Contains(t, r.standing()[0], question)
			test.happens(r, r.w.Messages(shoots)[0].TS)
			_, err := r.Holds.DecideHold(t.Context(), "d1.1", store.HoldDecision{By: "U0OLGA", At: time.Now(), Allowed: true})
			require.NoError(t, err)
			d.State = nil // of another job
			require.NoError(t, handler(announce.New(r.config), d.Kind)(t.Context(), d), "there is nothing to try again")
			if test.shown == "" {
				require.Empty(t, r.standing())
				return
			}
			require.Len(t, r.standing(), 1)
			require.Contains(t, r.standing()[0], test.shown)
		})
	}
}

// The question shows whether the allowed order could be placed.
func TestAnAllowedQuestionSaysWhatBecameOfTheOrder(t *testing.T) {
	t.Parallel()
	r, d := asked(t)
	r.finishes(t, d)
	_, err := r.Holds.DecideHold(t.Context(), "d1.1", store.HoldDecision{By: "U0OLGA", At: time.Now(), Allowed: true})
	require.NoError(t, err)
	draft := store.Draft{ID: "d1", Team: "T0SANDBOX", User: "U0MARIA", Attempt: 2, Allowed: &store.Allowed{By: "U0OLGA", Hold: "d1.1"}}
	for _, row := range []struct {
		state store.DraftState
		says  string
	}{{"", ""}, {store.DraftRefused, "It could not be placed."}, {store.DraftPlaced, "It is placed."}} {
		if draft.State = row.state; row.state != "" {
			require.NoError(t, r.Drafts.SaveDraft(t.Context(), draft))
		}
		d.State = nil // of another job
		require.NoError(t, handler(announce.New(r.config), d.Kind)(t.Context(), d))
		require.Len(t, r.standing(), 1)
		require.Contains(t, r.standing()[0], "Allowed by Olga")
		require.Contains(t, r.standing()[0], row.says)
	}
}
