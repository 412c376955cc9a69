package cards

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// goldenOf compares what is shown of the scene with markup with the files of a folder, and all of them with
// Slack's limits.
func goldenOf(t *testing.T, folder string, shown func(scene) map[string]any) {
	t.Helper()
	for row, s := range scenes() {
		for name, v := range shown(s) {
			t.Run(row+"/"+name, func(t *testing.T) {
				checkLimits(t, v)
				if row == "markup" {
					compare(t, filepath.Join("testdata", folder, name+".json"), pretty(t, v), os.Getenv("UPDATE_GOLDEN") != "")
				}
			})
		}
	}
}

func (s scene) followed(status order.Status) store.Tracked {
	t := s.tracked(status)
	t.Followers = []store.Follower{{User: "U0BEN"}}
	return t
}

func TestGoldenNews(t *testing.T) {
	const links = Links("https://acme.slack.com/")
	goldenOf(t, "follow", func(s scene) map[string]any {
		shown := map[string]any{}
		for kind, status := range map[order.EventKind]order.Status{
			order.EventReady: order.StatusReviewing, order.EventChanges: order.StatusRevising, order.EventPaused: order.StatusPaused,
			order.EventApproved: order.StatusClosed, order.EventEditor: order.StatusEditing, order.EventMoved: order.StatusEditing,
			order.EventUntracked: order.StatusEditing, order.EventGone: order.StatusEditing,
		} {
			shown[string(kind)] = News(s.followed(status), s.event(kind, status), links)
		}
		details := func(tr store.Tracked, said string) slack.ModalViewRequest {
			view := Showing(tr, nil, true, previews, now, "x")
			view.Blocks.BlockSet = WithFollow(view.Blocks.BlockSet, tr, "U0BEN", said)
			return view
		}
		shown["details"] = details(s.tracked(order.StatusReviewing), "")
		shown["details_followed"] = details(s.followed(order.StatusReviewing), "")
		shown["details_said"] = details(s.followed(order.StatusReviewing), Follows(s.followed(order.StatusReviewing)))
		return shown
	})
}

func TestOnlyWhoFollowsReadsThatTheyDo(t *testing.T) {
	s := scene{"beach", 2}
	plain := Show(s.tracked(order.StatusEditing), nil, false, Thumbs{}, now).Blocks
	closed := s.tracked(order.StatusClosed)
	require.Equal(t, plain, WithFollow(plain, closed, "U0BEN", ""), "there will be no news")
	text := pretty(t, Message{Blocks: WithFollow(plain, s.tracked(order.StatusEditing), "U0BEN", "")})
	require.Contains(t, text, ActionFollow)
	require.NotContains(t, text, "You follow")
	text = pretty(t, Message{Blocks: WithFollow(plain, s.followed(order.StatusEditing), "U0BEN", "")})
	require.Contains(t, text, ActionUnfollow)
	require.Contains(t, text, "You follow this order")
	text = pretty(t, Message{Blocks: WithFollow(plain, s.followed(order.StatusEditing), "U0MARIA", "")})
	require.NotContains(t, text, "You follow", "that others do is theirs to know")
	require.NotContains(t, FollowsNoMore(store.Tracked{}), "beach")
}

func costs(images int, price string, varies bool) order.Cost {
	return order.Cost{Service: order.ServiceBasic, Images: images, Price: decimal.RequireFromString(price), Varies: varies}
}

func TestGoldenEstimates(t *testing.T) {
	extensive := costs(8, "20", false)
	extensive.Service = order.ServiceExtensive
	goldenOf(t, "estimate", func(s scene) map[string]any {
		form := func(d store.Draft, all ...order.Cost) slack.ModalViewRequest {
			return NewOrder(d, Around{Balance: "88", Presets: &PresetMenu{Costs: all}}, "x1")
		}
		return map[string]any{
			"empty": form(store.Draft{ID: "d1"}, costs(20, "20", false)), "filled": form(s.draft(), costs(20, "20", false), extensive),
		}
	})
}

func TestAnEstimateSaysWhatItIsMadeOf(t *testing.T) {
	for says, test := range map[string]struct {
		c      order.Cost
		images int
	}{
		"the last 20 basic images cost 1 credit each":                                           {costs(20, "20", false), 0},
		"the last 20 basic images cost 1 credit each: about *12 credits* for 12 images":         {costs(20, "20", false), 12},
		"the last 12 basic images cost 0.5 credits each: about *0.5 credits* for 1 image":       {costs(12, "6", false), 1},
		"the last 9 basic images cost about 1.33 credits each: about *4 credits* for 3 images":  {costs(9, "12", false), 3},
		"the last 4 basic images cost about 1.75 credits each: about *1.8 credits* for 1 image": {costs(4, "7", true), 1},
	} {
		require.Equal(t, says, costWords(test.c, test.images))
	}
}

func TestWithoutEnoughOrdersTheFormIsAsItWas(t *testing.T) {
	for _, s := range scenes() {
		d := s.draft()
		require.Equal(t, NewOrder(d, Around{Balance: "88"}, "x"), NewOrder(d, Around{Balance: "88", Presets: &PresetMenu{}}, "x"))
	}
	differ := store.Draft{ID: "d1", URLs: []string{"https://example.com/a.jpg", "https://example.com/b.jpg"}, Service: order.ServiceBasic}
	differ.Each = map[string]store.PerImage{"https://example.com/a.jpg": {Service: order.ServiceExtensive}}
	form := pretty(t, NewOrder(differ, Around{Presets: &PresetMenu{Costs: []order.Cost{costs(20, "20", false)}}}, "x"))
	require.Contains(t, form, "the last 20 basic images")
	require.False(t, strings.Contains(form, "for 2 images"), "what images of several types cost together is not told")
}
