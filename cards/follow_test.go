package cards_test

import (
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

func followed(s cardstest.Scene, status order.Status) store.Tracked {
	t := s.Tracked(status)
	t.Followers = []store.Follower{{User: "U0BEN"}}
	return t
}

func TestGoldenNews(t *testing.T) {
	const links = cards.Links("https://acme.slack.com/")
	cardstest.GoldenOf(t, "follow", func(s cardstest.Scene) map[string]any {
		shown := map[string]any{}
		for kind, status := range map[order.EventKind]order.Status{
			order.EventReady: order.StatusReviewing, order.EventChanges: order.StatusRevising, order.EventPaused: order.StatusPaused,
			order.EventApproved: order.StatusClosed, order.EventEditor: order.StatusEditing, order.EventMoved: order.StatusEditing,
			order.EventUntracked: order.StatusEditing, order.EventGone: order.StatusEditing,
		} {
			shown[string(kind)] = cards.News(followed(s, status), s.Event(kind, status), true, links)
		}
		for kind, status := range map[order.EventKind]order.Status{order.EventReady: order.StatusReviewing, order.EventReminder: order.StatusReviewing, order.EventApproved: order.StatusClosed} {
			shown["ordered_"+string(kind)] = cards.News(s.Tracked(status), s.Event(kind, status), false, links)
		}
		details := func(tr store.Tracked, said string) slack.ModalViewRequest {
			view := cards.Showing(tr, nil, true, cardstest.Previews, cardstest.Now, "x")
			view.Blocks.BlockSet = cards.WithFollow(view.Blocks.BlockSet, tr, "U0BEN", said)
			return view
		}
		shown["details"] = details(s.Tracked(order.StatusReviewing), "")
		shown["details_followed"] = details(followed(s, order.StatusReviewing), "")
		shown["details_said"] = details(followed(s, order.StatusReviewing), cards.Follows(followed(s, order.StatusReviewing)))
		return shown
	})
}

func TestOnlyWhoFollowsReadsThatTheyDo(t *testing.T) {
	s := cardstest.Of("beach", 2)
	plain := cards.Show(s.Tracked(order.StatusEditing), nil, false, cards.Thumbs{}, cardstest.Now).Blocks
	closed := s.Tracked(order.StatusClosed)
	require.Equal(t, plain, cards.WithFollow(plain, closed, "U0BEN", ""), "nothing left to follow")
	text := cardstest.Pretty(t, kit.Message{Blocks: cards.WithFollow(plain, s.Tracked(order.StatusEditing), "U0BEN", "")})
	require.Contains(t, text, cards.ActionFollow)
	require.NotContains(t, text, "You follow")
	text = cardstest.Pretty(t, kit.Message{Blocks: cards.WithFollow(plain, followed(s, order.StatusEditing), "U0BEN", "")})
	require.Contains(t, text, cards.ActionUnfollow)
	require.Contains(t, text, "You follow this order")
	text = cardstest.Pretty(t, kit.Message{Blocks: cards.WithFollow(plain, followed(s, order.StatusEditing), "U0MARIA", "")})
	require.NotContains(t, text, "You follow", "that others do is theirs to know")
	require.NotContains(t, cards.FollowsNoMore(store.Tracked{}), "beach")
}
