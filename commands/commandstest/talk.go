package commandstest

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/files"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// CardTS is the timestamp of the order's card and its thread.
const CardTS = "100.1"

// InThread places an order in C1 with its card in the channel, and returns its id.
func (r *Rig) InThread() string {
	r.T.Helper()
	id := r.InReview()
	order, err := r.Store.Orders.Order(r.T.Context(), id)
	require.NoError(r.T, err)
	require.NoError(r.T, r.Store.Announcements.CardPosted(r.T.Context(), id, order.Owner.Generation, CardTS, order.Version))
	return id
}

// Relays sets the relay mode of C1, where an earlier reply of maria was confirmed to her.
func (r *Rig) Relays(mode store.Relay) {
	r.T.Helper()
	require.NoError(r.T, r.Store.Documents.PutTTL(r.T.Context(), "overheard:T1:C1:maria", "100.1", time.Hour))
	settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Relay: mode})
}

// Event returns an event, by default maria's in the order's thread.
func (r *Rig) Event(kind string, fields map[string]any) bot.Request {
	r.T.Helper()
	inner := map[string]any{"type": kind, "user": "maria", "channel": "C1", "thread_ts": CardTS, "ts": "200.1"}
	maps.Copy(inner, fields)
	r.Clicks++
	raw, err := json.Marshal(map[string]any{
		"type": "event_callback", "team_id": "T1", "event_id": fmt.Sprintf("Ev%d", r.Clicks),
		"event_time": time.Now().Unix(), "event": inner,
	})
	require.NoError(r.T, err)
	q, err := bot.DecodeEvent(raw, time.Now())
	require.NoError(r.T, err)
	return q
}

// Hears sends events to the app.
func (r *Rig) Hears(events ...bot.Request) {
	r.T.Helper()
	for _, q := range events {
		reply, err := r.Handle(r.T.Context(), q)
		require.NoError(r.T, err)
		require.Equal(r.T, bot.Ack(), reply)
	}
	r.Settle(time.Second)
}

// Shortcut uses a message shortcut as maria.
func (r *Rig) Shortcut(name string, m slack.Msg) {
	r.T.Helper()
	r.Click(bot.Request{
		Kind: bot.KindShortcut, Name: name, MessageTS: m.Timestamp, Thread: m.ThreadTimestamp,
		Message: &slack.Message{Msg: m},
	})
}

// Signs gives the app a public URL.
func (r *Rig) Signs() {
	r.T.Helper()
	signer, err := files.NewSigner("https://darkroom.example.com", []string{"0123456789abcdef0123456789abcdef"})
	require.NoError(r.T, err)
	r.Sign(signer)
}
