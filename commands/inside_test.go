package commands

import (
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/place"
	cardstalk "darkroom/cards/talk"
	"darkroom/jobs"
	"darkroom/store"
)

func TestNearestVerb(t *testing.T) {
	c := bare(t)
	for typed, want := range map[string]string{
		"aprove": "approve", "shwo": "show", "neww": "new", "balence": "balance", "hlep": "help", "xyzzy": "", "": "",
	} {
		require.Equal(t, want, c.features.help.nearest(typed), typed)
	}
}

func TestURLsOnTheLine(t *testing.T) {
	for line, want := range map[string][]string{
		"new":                            {},
		"new https://a.test/1.jpg":       {"https://a.test/1.jpg"},
		"new <https://a.test/1.jpg>":     {"https://a.test/1.jpg"},
		"https://a.test/1.jpg http://b/": {"https://a.test/1.jpg", "http://b/"},
		"<https://a.test/1.jpg|a.test>":  {"https://a.test/1.jpg"},
	} {
		var r bot.Request
		r.Kind, r.Text = bot.KindCommand, line
		r.Verb, r.Args = cut(line)
		require.ElementsMatch(t, want, lineURLs(r), line)
	}
}

func cut(line string) (verb, args string) {
	for i, c := range line {
		if c == ' ' {
			return line[:i], line[i+1:]
		}
	}
	return line, ""
}

// bare returns the commands without anything that they could call.
func bare(t *testing.T) *Commands {
	t.Helper()
	done, err := jobs.New(jobs.Config{Store: &store.Store{}})
	require.NoError(t, err)
	c, err := New(Config{Jobs: done, Store: &store.Store{}})
	require.NoError(t, err)
	return c
}

// The table decides without a call whether a request is a write: a write that ran as read-only would be lost with its
// process.
func TestWhatIsADeed(t *testing.T) {
	c := bare(t)
	line := func(text string) bot.Request {
		verb, args := cut(text)
		return bot.Request{Kind: bot.KindCommand, Verb: verb, Args: args, Text: text}
	}
	press := func(name, value string) bot.Request {
		return bot.Request{Kind: bot.KindAction, Name: name, Value: value}
	}
	in := func(q bot.Request, block, callback string) bot.Request {
		q.BlockID, q.View = block, &slack.View{CallbackID: callback}
		return q
	}
	deeds := []bot.Request{
		line("message order1 Softer"), line("message Softer"), line("message order1\nSofter"), line("message Softer, please"),
		line("reference order1 https://e.com/a.jpg"), line("reference <https://e.com/a.jpg>"),
		line("track order1"), line("untrack order1"), line("move order1 <#CWEDDING|weddings>"), line("move CWEDDING"),
		press(place.ActionRetry, "d1"), press(place.ActionDiscard, "d1"), press(place.ActionRemove, "d1"), press(place.ActionBack, ""), press(cardstalk.ActionTakeBack, "C1 1.1"),
		in(press(place.ActionOpen, "d1"), "", place.CallbackNew), press(cards.ActionPick+"untrack", "order1:r1"),
		in(press(cards.ActionPick+"move", "order1:r1"), cards.PickBlock+"words:1", ""),
		{Kind: bot.KindShortcut, Name: ShortcutSend},
	}
	looks := []bot.Request{
		line(""), line("https://e.com/a.jpg"), line("new https://e.com/a.jpg"), line("list mine"), line("show order1"), line("approve order1 Lovely"),
		line("revise order1 Warmer"), line("cancel order1 too late"), line("message"), line("message `order1`"), line("reference K7Q2XM"),
		line("move order1"), line("move order1 #weddings"), line("balance"), line("settings"), line("help move"), line("aprove order1"),
		press(place.ActionOpen, "d1"), press(cards.ActionApprove, "order1:r1"), press(cards.ActionMove, "order1:r1"), press(cards.ActionMenu, "move order1:r1"),
		press(cards.ActionPick+"message", "order1:r1"), in(press(cards.ActionPick+"message", "order1:r1"), cards.PickBlock+"words:1", ""),
		press(cards.ActionPick+"move", "order1:r1"), press(cards.ActionPick+"nonsense", ""), press(cards.ActionList+"older", "{}"),
		press(cardstalk.ActionCorrect, "n1"), press(cardstalk.ActionAttach, "n1"), press(cards.ActionAskPause, "order1:r1"),
		{Kind: bot.KindShortcut, Name: ShortcutNew},
		{Kind: bot.KindShortcut, Name: ShortcutPhotos},
		{Kind: bot.KindShortcut, Name: ShortcutReference},
	}
	for want, all := range map[bool][]bot.Request{true: deeds, false: looks} {
		for _, q := range all {
			named, does := c.action(q)
			require.Equal(t, want, does.writes(named), "%s %s %s", q.Text, q.Name, q.Value)
		}
	}
}
