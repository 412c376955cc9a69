package announce_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// forgedReader adds messages by strangers with our metadata to every reading.
type forgedReader struct {
	whole
	event   string
	deleted []string
}

// forged returns such messages: by another app, by a person, and without an author.
func (f *forgedReader) forged() (all []slack.Message) {
	for i, by := range []slack.Msg{{BotID: "B0EVIL", User: "U0EVIL"}, {User: "U0BEN"}, {}} {
		m := slack.Message{Msg: by}
		m.Timestamp = fmt.Sprintf("%d.00000%d", time.Now().Unix(), i)
		m.Metadata = slack.SlackMetadata{EventType: cards.MetadataType, EventPayload: map[string]any{
			"order_id": orderID, "event": f.event, "generation": 1,
		}}
		all = append(all, m)
	}
	return all
}

func (f *forgedReader) Read(ctx context.Context, r client.Reading) ([]slack.Message, error) {
	ours, err := f.whole.Read(ctx, r)
	return append(f.forged(), ours...), err
}

func (f *forgedReader) Delete(ctx context.Context, channel, ts string) error {
	f.deleted = append(f.deleted, ts)
	return f.whole.Delete(ctx, channel, ts)
}

func TestWhatStrangersWriteIntoTheirMetadataIsNeverOurs(t *testing.T) {
	t.Parallel()
	for event, mark := range map[string]int64{cards.CardEvent: 0, "placed": 1} {
		for name, out := range map[string]bool{"that is out": true, "that is not": false} {
			t.Run(event+" "+name, func(t *testing.T) {
				r := newRig(t, workspace.Options{})
				r.place(t, shoots)
				f := &forgedReader{whole: r.slack, event: event}
				r.config.Slack = f
				fault := workspace.ResetBefore
				if out {
					fault = workspace.ResetAfter
				}
				r.w.Misbehave("chat.postMessage", workspace.Fault{}, int(mark))
				r.w.Misbehave("chat.postMessage", fault, 1)
				r.announce(t)
				require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots), "its own, and in the card's own thread")
				require.Len(t, r.channelOnly(shoots), 1)
				r.later(t)
				require.Empty(t, f.deleted, "nobody else's message is a double of ours")
			})
		}
	}
}

// slowClock is a Slack whose clock is behind ours.
type slowClock struct {
	whole
	by time.Duration
}

func (s slowClock) Read(ctx context.Context, r client.Reading) ([]slack.Message, error) {
	r.Oldest = r.Oldest.Add(s.by)
	return s.whole.Read(ctx, r)
}

func TestAMessageIsFoundThoughSlacksClockIsBehindOurs(t *testing.T) {
	t.Parallel()
	for position, name := range []string{"the card", "a reply"} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			r.config.Slack = slowClock{r.slack, 50 * time.Second}
			r.w.Misbehave("chat.postMessage", workspace.Fault{}, position)
			r.w.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
			r.announce(t)
			require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots))
			require.Equal(t, []string{"card"}, r.channelOnly(shoots), "once")
		})
	}
}

// A card whose post was not answered may be out with an older content, if the order changed without an
// event.
func TestAnAdoptedCardIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	r.w.DeleteMessage(shoots, r.reply(t, shoots, "placed").TS)
	r.w.DeleteMessage(shoots, tracked.CardTS)
	r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 1, Refresh: true}, shoots)
	r.w.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
	require.Error(t, r.try(t))

	_, events, err := r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{
		ID: orderID, Status: order.StatusEditing, Price: decimal.NewNullDecimal(decimal.NewFromInt(7)),
	})
	require.NoError(t, err)
	require.Empty(t, events)
	r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 1}, shoots)
	r.announce(t)
	require.Contains(t, fmt.Sprint(r.reply(t, shoots, "card").Blocks), "7 credits")
	require.Equal(t, []string{"card"}, r.channelOnly(shoots))
}

func TestAMessageThatSlackNeverAnswersUsesAttemptsInTheEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	const many = 300
	r.w.Misbehave("chat.postMessage", workspace.ResetBefore, many)
	var tries int
	for tries = 1; tries < many; tries++ {
		err := r.try(t)
		require.Error(t, err)
		if !strings.HasPrefix(err.Error(), "wait ") {
			require.ErrorContains(t, err, "never answered")
			break
		}
	}
	require.Less(t, tries, many, "it does not go on for ever")
	require.Greater(t, tries, 30, "and does not give up at once: an outage ends within minutes")
	require.Empty(t, r.channelOnly(shoots))
}

// The service may report a new review without pictures. Then no review is announced, and the older one's
// buttons must not work.
func TestTheButtonsOfAnOlderRevisionGoBeforeTheNewerIsShown(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg"})
	r.announce(t)
	require.Equal(t, 2, buttons(r.reply(t, shoots, "ready:r0")))

	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	one := 1
	_, events, err := r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{
		ID: orderID, Status: order.StatusReviewing, Revision: &one, Conversation: []order.Entry{},
	})
	require.NoError(t, err)
	for _, e := range events {
		require.NotEqual(t, order.EventReady, e.Kind)
	}
	r.announce(t)
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))

	r.happens(t, order.StatusReviewing, 1, order.EditedImage{ID: "i1", Name: "beach.jpg", Revision: 1})
	r.announce(t)
	require.Equal(t, 2, buttons(r.reply(t, shoots, "ready:r1")))
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
}

func TestTheButtonsOfOlderPicturesUnderTheSameNumberGo(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg"})
	r.announce(t)
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	_, _, err = r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{ID: orderID, Status: order.StatusEditing})
	require.NoError(t, err)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i2", Name: "cake.jpg"})
	r.announce(t)
	shown := 0
	for _, m := range r.w.Thread(shoots, tracked.CardTS) {
		if strings.HasPrefix(eventOf(m), "ready:r0") && buttons(m) > 0 {
			shown++
			require.NotEqual(t, "ready:r0", eventOf(m), "the older one")
		}
	}
	require.Equal(t, 1, shown)
}
