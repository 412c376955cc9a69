package events_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
)

func TestTheAppKnowsWhichOfItsMessagesAreOut(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		hears := func(name, event string) error {
			q := bot.Request{Kind: bot.KindEvent, Name: name, ID: "Ev" + event, Team: "T1", Event: json.RawMessage(event)}
			reply, err := r.Handle(r.T.Context(), q)
			require.Nil(r.T, reply.Body)
			return err
		}
		posted := func(by, ts, metadata string) error {
			return hears("message_metadata_posted", fmt.Sprintf(`{"type":"message_metadata_posted","app_id":"A1",%s,"team_id":"T1",
				"channel_id":"CWEDDING","message_ts":%q,"event_ts":%q%s}`, by, ts, ts, metadata))
		}
		known := func() (all []string) {
			posts, err := r.Store.OwnPosts.Since(r.T.Context(), "CWEDDING", time.Time{})
			require.NoError(r.T, err)
			for _, p := range posts {
				require.JSONEq(r.T, `{"event_type":"darkroom_order","event_payload":{"order_id":"1"}}`, string(p.Metadata))
				all = append(all, p.TS)
			}
			return all
		}
		const (
			ours  = `"bot_id":"BDARKROOM","user_id":"UDARKROOM"`
			about = `,"metadata":{"event_type":"darkroom_order","event_payload":{"order_id":"1"}}`
		)
		require.NoError(r.T, posted(ours, "1.000001", about))
		require.NoError(r.T, posted(ours, "2.000001", about))
		require.NoError(r.T, posted(`"bot_id":"BEVIL","user_id":"UEVIL"`, "3.000001", about), "who copies our metadata")
		require.NoError(r.T, posted(`"bot_id":""`, "4.000001", about))
		require.NoError(r.T, posted(ours, "", about))
		require.NoError(r.T, posted(ours, "5.000001", ""))
		require.Equal(r.T, []string{"1.000001", "2.000001"}, known())
		require.NoError(r.T, hears("message_metadata_deleted", `{"bot_id":"BEVIL","channel_id":"CWEDDING","message_ts":"1.000001"}`))
		require.NoError(r.T, hears("message_metadata_deleted", `{`+ours+`,"channel_id":"CWEDDING","message_ts":"2.000001"}`))
		require.Equal(r.T, []string{"1.000001"}, known(), "what was deleted is out no more")
		require.Error(r.T, hears("message_metadata_posted", `{`))
	})
}

// An order's card links to its review. If somebody deletes the review, the card changes.
func TestADeletedReviewIsNoticed(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		ctx, events := r.T.Context(), r.Events(order.EventReady)
		require.NoError(r.T, r.Store.Announcements.EventPosted(ctx, id, 1, store.Posted{Event: events[0].Seq, ID: events[0].ID, TS: "7.000001", Buttons: true}))
		deleted := func(previous string) error {
			event := `{"bot_id":"BDARKROOM","user_id":"UDARKROOM","channel_id":"CSHOOTS","message_ts":"7.000001"` + previous + `}`
			_, err := r.Handle(ctx, bot.Request{Kind: bot.KindEvent, Name: "message_metadata_deleted", ID: "Ev" + event, Team: "T1", Event: json.RawMessage(event)})
			return err
		}
		about := `,"previous_metadata":{"event_type":"darkroom_order","event_payload":{"order_id":"order1","event":"ready:r0","generation":%s}}`
		const job = "announce:order1:g1:deleted:7.000001"
		require.NoError(r.T, deleted(""))
		require.Error(r.T, deleted(`,"previous_metadata":7`))
		require.NoError(r.T, deleted(fmt.Sprintf(about, `"none"`)))
		r.Settle(time.Second)
		require.NotContains(r.T, r.JobsOf(store.AnnounceKind), job)
		require.NoError(r.T, deleted(fmt.Sprintf(about, `1`)))
		r.Settle(time.Second)
		require.Contains(r.T, r.JobsOf(store.AnnounceKind), job)
	})
}
