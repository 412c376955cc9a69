package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	cardsops "darkroom/cards/ops"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// speaks gives a message the menu and the text of a current card.
func speaks(t *commandstest.Thread) {
	menu := slack.NewOverflowBlockElement("menu", slack.NewOptionBlockObject("show", slack.NewTextBlockObject("plain_text", "Show details", false, false), nil))
	t.Blocks.BlockSet = []slack.Block{slack.NewSectionBlock(slack.NewTextBlockObject("mrkdwn", "*Being edited*", false, false), nil, slack.NewAccessory(menu))}
	t.Text = "*Being edited*\nSmith wedding for &lt;@UEVIL&gt;\n2 images · for <@UMARIA> · `K7Q2XM`"
}

// isForgotten removes an order from Redis, as a restored backup does.
func isForgotten(r *commandstest.Rig, id string) {
	r.T.Helper()
	ctx := r.T.Context()
	for _, keys := range []string{"order:" + id, "events:" + id, "event-ids:" + id, "snapshot:" + id, "thread:*"} {
		found := r.Redis.Keys(ctx, "{darkroom}:"+keys).Val()
		if len(found) > 0 {
			require.NoError(r.T, r.Redis.Del(ctx, found...).Err())
		}
	}
	require.NoError(r.T, r.Redis.HDel(ctx, "{darkroom}:active", id).Err())
	require.NoError(r.T, r.Redis.SRem(ctx, "{darkroom}:lagging", id).Err())
	_, err := r.Store.Orders.Order(ctx, id)
	require.ErrorIs(r.T, err, store.ErrNotTracked)
}

// happened returns the ids of an order's events, oldest first, without the hashes of messages.
func happened(r *commandstest.Rig, id string) (ids []string) {
	r.T.Helper()
	events, err := r.Store.Orders.Events(r.T.Context(), id)
	require.NoError(r.T, err)
	for _, e := range events {
		id, _, said := strings.Cut(e.ID, ":")
		if !said || e.Kind != order.EventMessage && e.Kind != order.EventEditor {
			id = e.ID
		}
		ids = append(ids, id)
	}
	return ids
}

func TestAForgottenOrderIsFoundByItsCardAlone(t *testing.T) {
	for name, test := range map[string]struct {
		user  string
		about func(*cards.About)
		root  func(*commandstest.Thread)
		old   time.Duration
		found bool
	}{
		"its card":                                {found: true},
		"after it moved twice":                    {about: func(a *cards.About) { a.Generation = 3 }, found: true},
		"a stranger's copy of it":                 {user: "UEVIL"},
		"a card that was left":                    {root: func(t *commandstest.Thread) { t.Blocks.BlockSet = nil }},
		"a reply of ours":                         {about: func(a *cards.About) { a.Event = "placed" }},
		"an order that the service does not know": {about: func(a *cards.About) { a.Order = "order9" }},
		"one that may have left by now":           {old: commandstest.Retention + time.Hour},
		"a card from before any backup":           {old: 31 * 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				about := cardless(r)
				isForgotten(r, about.Order)
				ts := fmt.Sprintf("%d.000001", time.Now().Add(-test.old).Unix())
				if test.about != nil {
					test.about(&about)
				}
				if test.user == "" {
					test.user = "UDARKROOM"
				}
				root := r.Begins(ts, test.user, about)
				speaks(root)
				if test.root != nil {
					test.root(root)
				}
				r.Hears(mention(r, map[string]any{"text": "<@UDARKROOM> Softer", "thread_ts": ts}))
				tracked, err := r.Store.Orders.Order(r.T.Context(), about.Order)
				if !test.found {
					require.ErrorIs(r.T, err, store.ErrNotTracked)
					require.Empty(r.T, r.Conversation())
					return
				}
				require.NoError(r.T, err)
				require.Equal(r.T, []string{"Softer"}, r.Conversation())
				require.Equal(r.T, about.Generation, tracked.Owner.Generation)
				require.Equal(r.T, "UMARIA", tracked.Owner.Requester)
				require.Equal(r.T, ts, tracked.CardTS)
				require.Equal(r.T, "K7Q2XM", tracked.Reference, "whatever the service calls it")
				require.True(r.T, tracked.InReview(tracked.Order.Rev()), "as the service has it")
				require.Equal(r.T, []string{"placed", "ready:r0", "message"}, happened(r, about.Order))
				require.Contains(r.T, fmt.Sprint(r.Screen.Ephemerals), "found the order again by its card")
			})
		})
	}
}

// The editor may have written meanwhile: not every answer of the service has the conversation.
func TestWhatAnEditorWroteOfAForgottenOrderIsTold(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		about := cardless(r)
		isForgotten(r, about.Order)
		r.Service.Edit(about.Order, func(o *order.Order) {
			o.Conversation = []order.Entry{{From: "editor", Content: "Which crop do you want?", CreatedAt: time.Now()}}
		})
		r.Settle(time.Minute)
		ts := fmt.Sprintf("%d.000001", time.Now().Unix())
		speaks(r.Begins(ts, "UDARKROOM", about))
		r.Hears(mention(r, map[string]any{"text": "<@UDARKROOM> Softer", "thread_ts": ts}))
		require.Equal(r.T, []string{"placed", "editor", "ready:r0", "message"}, happened(r, about.Order))
	})
}

// usesCard removes an order from Redis, and has somebody mention the app in the thread of its card.
func usesCard(r *commandstest.Rig, about cards.About) {
	r.T.Helper()
	isForgotten(r, about.Order)
	r.Service.Edit(about.Order, func(o *order.Order) { o.ProjectName = "Smith wedding [K7Q2XM]" })
	r.Settle(time.Second)
	ts := fmt.Sprintf("%d.000001", time.Now().Unix())
	speaks(r.Begins(ts, "UDARKROOM", about))
	r.Hears(mention(r, map[string]any{"text": "<@UDARKROOM> Softer", "thread_ts": ts, "ts": ts + "9"}))
	r.Settle(time.Minute)
	r.Stored(about.Order)
}

func TestOperatorsHearOfARestoredRedisOnceThoughNotAtFirst(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		ops := &operators{away: 2}
		r.Ops = ops.hear
		about := cardless(r)
		usesCard(r, about)
		require.Equal(r.T, []string{cardsops.RolledBack()}, ops.said)
		require.Len(r.T, r.Screen.Ephemerals, 1)
		require.Contains(r.T, r.Screen.LastMessage(), "found the order again by its card")

		usesCard(r, about)
		require.Len(r.T, ops.said, 1, "once in a run of Redis")
		require.Len(r.T, r.Screen.Ephemerals, 2, "and each who uses a card")

		require.NoError(r.T, r.Redis.HSet(r.T.Context(), "{darkroom}:run", "replid", "another").Err())
		usesCard(r, about)
		require.Len(r.T, ops.said, 2)
	})
}

func TestWhoIsInterruptedWhileTellingOperatorsOfARestoredRedisTellsThemNext(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		about := cardless(r)
		ctx, kill := context.WithCancel(r.T.Context())
		ops := &operators{}
		r.Ops = func(ctx context.Context, _ string) (bool, error) {
			kill()
			return false, ctx.Err()
		}
		body := fmt.Sprintf(`{"team":"T1","channel":"C1","user":"maria","order":%q,"generation":1,"run":"run1"}`, about.Order)
		d := &queue.Delivery{Job: queue.Job{ID: "forgotten:1", Kind: "forgotten", Body: json.RawMessage(body)}}
		require.Error(r.T, r.Doing("forgotten")(ctx, d))
		r.Ops = ops.hear
		require.NoError(r.T, r.Doing("forgotten")(r.T.Context(), d))
		require.Len(r.T, ops.said, 1)
		require.Len(r.T, r.Screen.DMs, 1, "and the person once")
	})
}

// A click on the card changes neither the requester nor the workspace of the order.
func TestAForgottenOrderIsWhoseItWas(t *testing.T) {
	for name, test := range map[string]struct {
		card, requester string
		change          func(*commandstest.Rig, *bot.Request)
		found           bool
	}{
		"it names its requester":           {card: "for <@UMARIA>", requester: "UMARIA", found: true},
		"its requester's data was removed": {card: "2 images", requester: order.FormerPerson, found: true},
		"used from another workspace":      {card: "for <@UMARIA>", change: func(_ *commandstest.Rig, q *bot.Request) { q.Team = "T2" }},
		"used by who is not in its channel": {card: "for <@UMARIA>", change: func(r *commandstest.Rig, _ *bot.Request) {
			r.Screen.Channels = map[string]commandstest.Channel{"C1": {Members: []string{"tom"}}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				about := cardless(r)
				isForgotten(r, about.Order)
				ts := fmt.Sprintf("%d.000001", time.Now().Unix())
				root := r.Begins(ts, "UDARKROOM", about)
				speaks(root)
				root.Text = test.card
				q := mention(r, map[string]any{"text": "<@UDARKROOM> Softer", "thread_ts": ts})
				if test.change != nil {
					test.change(r, &q)
				}
				r.Hears(q)
				if !test.found {
					_, err := r.Store.Orders.Order(r.T.Context(), about.Order)
					require.ErrorIs(r.T, err, store.ErrNotTracked)
					require.Empty(r.T, r.Conversation())
					return
				}
				require.Equal(r.T, test.requester, r.Stored(about.Order).Owner.Requester)
				require.Equal(r.T, []string{"Softer"}, r.Conversation())
			})
		})
	}
}
