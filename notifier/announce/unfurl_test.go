package announce_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
)

// referred is an order with its card in #shoots, a channel whose members all may see it, and a message
// there with its reference.
func referred(t *testing.T) (r *rig, message func() *queue.Delivery) {
	t.Helper()
	r = newRig(t, workspace.Options{})
	r.config.Access = sight{weddings: true}
	r.place(t, shoots)
	r.announce(t)
	r.w.Invite("#weddings", "darkroom")
	settingstest.Save(t, r.Store, "T0SANDBOX", weddings, store.Settings{Unfurl: true})
	said := 0
	return r, func() *queue.Delivery {
		said++
		win := r.w.Window("maria")
		require.NoError(t, win.Say("#weddings", "", "How is [K7Q2XM]?"))
		ts := r.w.Messages(weddings)[said-1].TS
		return unfurling(ts, ts, "HJK234", "K7Q2XM")
	}
}

func unfurling(message, thread string, references ...string) *queue.Delivery {
	d := delivery(store.UnfurlKind, store.UnfurlJob{
		Team: "T0SANDBOX", Channel: weddings, Message: message, Thread: thread, References: references,
	}, weddings)
	d.PutAt = time.Now()
	return d
}

// answers returns the replies to a message.
func (r *rig) answers(ts string) (texts []string) {
	for _, m := range r.w.Thread(weddings, ts)[1:] {
		texts = append(texts, m.Text)
	}
	return texts
}

// bodyOf decodes a job's body.
func bodyOf(t *testing.T, d *queue.Delivery) (job store.UnfurlJob) {
	t.Helper()
	require.NoError(t, json.Unmarshal(d.Body, &job))
	return job
}

func TestAReferenceIsAnsweredOnceInItsThread(t *testing.T) {
	t.Parallel()
	for name, mishap := range mishaps() {
		slacks(t, name, func(t *testing.T) {
			t.Helper()
			r, message := referred(t)
			d := message()
			mishap(r)
			r.finishes(t, d)
			ts := bodyOf(t, d).Message
			require.Len(t, r.answers(ts), 1)
			require.Contains(t, r.answers(ts)[0], "Smith wedding")
			again := message()
			r.finishes(t, again)
			require.Empty(t, r.answers(bodyOf(t, again).Message), "within the hour the channel knows")
		})
	}
}

// A worker that died after its mark may have answered: the thread is read before it answers again.
func TestAnAnswerOfAWorkerThatDiedIsLookedFor(t *testing.T) {
	t.Parallel()
	r, message := referred(t)
	d := message()
	d.State = []byte(`{"posting":"` + time.Now().Add(-time.Minute).Format(time.RFC3339) + `"}`)
	state := d.State
	r.finishes(t, d)
	ts := bodyOf(t, d).Message
	require.Len(t, r.answers(ts), 1, "it had not")
	require.NoError(t, r.Documents.Delete(t.Context(), "unfurled:T0SANDBOX:"+weddings+":"+orderID), "nor noted that it had")
	d.State = state
	r.finishes(t, d)
	require.Len(t, r.answers(ts), 1, "it had")
}

// A reference gets no answer if somebody may not see the order, in the order's own thread, if the setting
// is off, if there is no such order, if it is too late, or if nothing can be posted.
func TestAReferenceIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, r *rig, d *queue.Delivery){
		"somebody may not see it": func(_ *testing.T, r *rig, _ *queue.Delivery) { r.config.Access = sight{} },
		"not wanted any more": func(t *testing.T, r *rig, _ *queue.Delivery) {
			t.Helper()
			settingstest.Save(t, r.Store, "T0SANDBOX", weddings, store.Settings{})
		},
		"no order's": func(_ *testing.T, _ *rig, d *queue.Delivery) {
			d.Body = []byte(strings.ReplaceAll(string(d.Body), "K7Q2XM", "MMM777"))
		},
		"too late": func(_ *testing.T, r *rig, d *queue.Delivery) {
			d.PutAt = time.Now().Add(-time.Hour)
			r.w.Misbehave("chat.postMessage", workspace.Error500, 1)
		},
		"archived": func(_ *testing.T, r *rig, _ *queue.Delivery) { r.w.Archive("#weddings") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, message := referred(t)
			d := message()
			change(t, r, d)
			r.finishes(t, d)
			require.Empty(t, r.answers(bodyOf(t, d).Message))
		})
	}
}

// In an order's own thread its reference says nothing new.
func TestAReferenceBelowItsOwnCardIsLeftAlone(t *testing.T) {
	t.Parallel()
	r, _ := referred(t)
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Unfurl: true})
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	before := len(r.w.Thread(shoots, tracked.CardTS))
	d := delivery(store.UnfurlKind, store.UnfurlJob{
		Team: "T0SANDBOX", Channel: shoots, Message: "1.2", Thread: tracked.CardTS, References: []string{"K7Q2XM"},
	}, shoots)
	d.PutAt = time.Now()
	r.finishes(t, d)
	require.Len(t, r.w.Thread(shoots, tracked.CardTS), before)
}
