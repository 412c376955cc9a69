package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/batch"
	"darkroom/cards/change"
	"darkroom/cards/home"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/cards/presets"
	"darkroom/cards/settings"
	"darkroom/cards/talk"
	"darkroom/commands"
	"darkroom/sandbox/workspace"
)

// row is one thing that people can do, under the name by which it is routed.
type row struct {
	route string
	does  func(a *actor, win *workspace.Window) error
	// looks is what who may only look reads, gone what who has left does: "" is a refusal in
	// words, anyAnswer whatever is no order's, cannot what Slack offers them no way to do.
	looks, gone string
	form        string // the form, opened in time, in whose window it is done
	operators   bool   // who acts reads that only operators may
	marked      bool   // who acts is answered by a mark on the message
	nowhere     bool   // it is answered in a direct message or the Home, which no bot has
}

const (
	anyAnswer = "any answer"
	cannot    = "cannot"
	silence   = "silence" // nobody is answered: what was there before stays as it was
)

func (r row) wants(s someone) string {
	if s.leaves {
		return r.gone
	}
	return r.looks
}

// lines are command lines, by verb.
func lines() []row {
	line := func(verb, looks, gone string, words func(a *actor) string) row {
		return row{route: "verb " + verb, looks: looks, gone: gone, does: func(a *actor, win *workspace.Window) error {
			return win.Command(a.here(), "/order "+verb+" "+words(a))
		}}
	}
	nothing := func(*actor) string { return "" }
	with := func(rest string) func(*actor) string {
		return func(a *actor) string { return strings.TrimSpace(a.review + " " + rest) }
	}
	return []row{
		line("new", "", "Photos", nothing),
		line("list", surprise, anyAnswer, nothing),
		operators(line("list", "", "Only operators", func(*actor) string { return "account" })),
		line("find", surprise, anyAnswer, func(*actor) string { return "all" }),
		line("again", "", "", with("https://example.com/mood.jpg")),
		line("show", surprise, "", with("")),
		line("history", surprise, "", with("")),
		line("report", "not read reports", "a channel's orders", nothing),
		operators(line("report", "", "Only operators", func(*actor) string { return "account" })),
		line("approve", "", "", with("Lovely")),
		line("revise", "", "", with("darker")),
		line("cancel", "", "", func(a *actor) string { return a.fresh + " wrong" }),
		line("message", "", "", with("Hello")),
		line("message", "", "", with("")),
		line("reference", "", "", with("https://example.com/mood.jpg")),
		line("reference", "", "", with("")),
		operators(line("track", "", "Only operators", func(*actor) string { return "nosuch99" })),
		operators(line("untrack", "", "Only operators", with(""))),
		line("move", "", "", with("C0OTHER")),
		line("move", "", "", with("")),
		line("balance", "", "Credits left", nothing),
		line("presets", "", "belong to a channel", nothing),
		line("settings", "", "belong to a channel", nothing),
		line("help", "/order new", "/order new", nothing),
	}
}

func marked(r row) row {
	r.marked = true
	return r
}

func operators(r row) row {
	r.operators = true
	return r
}

// shortcutRows are those of Slack's menus. Who has left sees none of the channel's messages.
func shortcutRows() []row {
	on := func(callback, looks string, message func(a *actor) string) row {
		return row{route: "shortcut " + callback, looks: looks, gone: cannot, does: func(a *actor, win *workspace.Window) error {
			return win.MessageShortcut(a.here(), message(a), callback, workspace.Once)
		}}
	}
	word := func(a *actor) string { return a.word }
	reply := func(a *actor) string { return a.reply }
	return []row{
		{route: "shortcut " + commands.ShortcutNew, nowhere: true, gone: "Photos", does: func(_ *actor, win *workspace.Window) error {
			win.Shortcut(commands.ShortcutNew, workspace.Once)
			return nil
		}},
		on(commands.ShortcutPhotos, "", word),
		on(commands.ShortcutSend, "", word), marked(on(commands.ShortcutSend, "", reply)),
		on(commands.ShortcutReference, "", word), on(commands.ShortcutReference, "", reply),
	}
}

// pressRows are the buttons of the table, on a message that has them all.
func pressRows() []row {
	press := func(action, looks, gone string) row {
		return row{route: "action " + action, looks: looks, gone: gone, does: func(a *actor, win *workspace.Window) error {
			return a.press(win, strings.TrimSuffix(action, "*"))
		}}
	}
	return []row{
		press(cards.ActionApprove, "", ""), press(cards.ActionRevise, "", ""), press(cards.ActionCancel, "", ""),
		press(cards.ActionApproveShown, "", ""), press(cards.ActionCancelNow, "", ""), press(cards.ActionReview, silence, silence),
		press(cards.ActionMessage, "", ""), press(cards.ActionMove, "", ""), press(cards.ActionTakeOver, "", ""), press(cards.ActionMenu, "", ""),
		press(cards.ActionShow, surprise, ""), press(cards.ActionHistory+"*", surprise, ""), press(cards.ActionDownload, silence, silence), press(cards.ActionCompare, silence, silence), press(change.ActionMark, silence, silence),
		press(cards.ActionPick+"*", "", ""), press(cards.ActionList+"*", surprise, anyAnswer),
		press(cards.ActionAsk, "", ""), press(cards.ActionAskPause, "", ""), press(talk.ActionTakeBack, anyAnswer, anyAnswer), press(cards.ActionSnooze+"*", "", ""), press(talk.ActionCorrect, "", ""), press(talk.ActionAttach, "", ""),
		operators(press(cards.ActionTrack, "", "Only operators")),
		press(home.ActionNew, "", "Photos"), press(home.ActionFilter, silence, silence), press(home.ActionPage+"*", silence, silence),
		press(batch.ActionOrders, anyAnswer, anyAnswer), press(batch.ActionOrdersPage+"*", anyAnswer, anyAnswer),
		press(home.ActionSelect, "", "Approve orders"),
		marked(press(place.ActionAllow, "", "This question is closed")), marked(press(place.ActionDecline, "", "This question is closed")),
		marked(press(place.ActionHoldCredits, "", "This question is closed")),
		press(place.ActionOpen, anyAnswer, anyAnswer), press(place.ActionRemove, anyAnswer, anyAnswer),
		press(place.ActionBack, silence, silence), press(kit.ActionClear, silence, silence),
		{route: "action " + kit.ActionTyped + "*", looks: silence, gone: silence, form: place.CallbackNew, does: func(a *actor, win *workspace.Window) error {
			a.fill(win, place.CallbackNew)
			return nil
		}},
		press(change.ActionChanges, silence, silence), press(change.ActionPart+"*", silence, silence), press(change.ActionDone, silence, silence), press(place.ActionMentioned, anyAnswer, anyAnswer),
		press(place.ActionMore, silence, silence), press(place.ActionEach, silence, silence), press(talk.ActionRefEach, silence, silence),
		press(place.ActionOptions, silence, silence), press(place.ActionTable, silence, silence), press(place.ActionAdd, silence, silence),
		press(place.ActionPreset, silence, silence), press(place.ActionPostTo, silence, silence),
		press(cards.ActionFollow, "You follow", ""), press(cards.ActionUnfollow, "You no longer follow", "You no longer follow that order"),
		press(cards.ActionSavePreset, "", ""), press(presets.Action, "", "not a member"), press(presets.ActionPhotos, "", "not a member"),
		press(place.ActionRetry, silence, silence),
		press(settings.ActionSettings, "", "belong to a channel"), press(settings.ActionSettingsOf, silence, silence), press(settings.ActionChangePart, "", "out of date"),
		// The table routes a shortcut's name as a button's, too.
		press(commands.ShortcutNew, "", "Photos"), press(commands.ShortcutPhotos, "", "Photos"),
		press(commands.ShortcutSend, "", anyAnswer), press(commands.ShortcutReference, "", anyAnswer),
	}
}

// submitRows are forms that were opened while the person was a full member, there.
func submitRows() []row {
	submit := func(callback, gone string) row {
		return row{route: "submit " + callback, gone: gone, form: callback, does: func(_ *actor, win *workspace.Window) error {
			return win.Submit(workspace.Once)
		}}
	}
	leave := func(callback, form string) row {
		return row{route: "close " + callback, looks: silence, gone: silence, form: form, does: func(_ *actor, win *workspace.Window) error { return win.CloseModal() }}
	}
	return []row{
		submit(kit.CallbackMessage, ""), submit(kit.CallbackReference, ""), submit(settings.Callback, "not a member"),
		submit(kit.CallbackRevise, ""), submit(kit.CallbackApprove, ""), submit(kit.CallbackCancel, ""),
		submit(change.CallbackSelect, ""),
		submit(presets.Callback, ""), submit(presets.CallbackPhotos, "not a member"), submit(batch.Callback, "not a member"), submit(place.CallbackThread, "not a member"),
		submit(place.CallbackNew, "not a member"), submit(place.CallbackImages, "not a member"), submit(cards.CallbackMove, ""),
		leave(place.CallbackNew, "close"), leave(place.CallbackImages, "close2"),
		leave(kit.CallbackApprove, "close approve"), leave(kit.CallbackRevise, "close revise"),
		leave(kit.CallbackCancel, "close cancel"), leave(kit.CallbackMessage, "close message"),
		leave(kit.CallbackReference, "close reference"),
	}
}

// hearingRows are what the app hears by itself, and what it offers in pickers.
func hearingRows() []row {
	return []row{
		{route: "event app_home_opened", nowhere: true, looks: "look at orders", gone: anyAnswer, does: func(_ *actor, win *workspace.Window) error { win.OpenHome(); return nil }},
		{route: "event app_mention", marked: true, gone: cannot, does: func(a *actor, win *workspace.Window) error { return win.Say(a.here(), a.card, "@darkroom for you") }},
		{route: "event message", marked: true, gone: cannot, does: func(a *actor, win *workspace.Window) error { return win.Say(a.here(), a.card, "relayed") }},
		{route: "event member_joined_channel", looks: silence, gone: silence, does: func(a *actor, _ *workspace.Window) error { return nil }},    // nobody's wish
		{route: "event member_left_channel", looks: silence, gone: silence, does: func(a *actor, _ *workspace.Window) error { return nil }},      // heard when somebody left
		{route: "event message_metadata_posted", looks: silence, gone: silence, does: func(a *actor, _ *workspace.Window) error { return nil }},  // nobody's wish
		{route: "event message_metadata_deleted", looks: silence, gone: silence, does: func(a *actor, _ *workspace.Window) error { return nil }}, // nor this
		{route: "options " + cards.ActionPick + "*", looks: silence, gone: silence, does: func(a *actor, win *workspace.Window) error {
			pick := map[string]any{"type": "external_select", "action_id": cards.ActionPick + "show", "min_query_length": 0, "placeholder": map[string]any{"type": "plain_text", "text": "Which?"}}
			options, err := win.Suggest(a.show(pick), "")
			require.Equal(a.t, !a.leaves, strings.Contains(text(options), surprise), "%v", options)
			return err
		}},
		{route: "action " + place.ActionDiscard, looks: anyAnswer, gone: anyAnswer, does: func(a *actor, win *workspace.Window) error { return a.press(win, place.ActionDiscard) }},
	}
}

func table() []row {
	return slices.Concat(lines(), shortcutRows(), pressRows(), submitRows(), hearingRows())
}

// everyRoute are the names of all that the app routes, from the table that routes.
func (w *town) everyRoute() []string {
	var all []string
	for kind, routes := range w.app.own.Router.Routes() {
		word := map[bot.Kind]string{
			bot.KindShortcut: "shortcut", bot.KindAction: "action", bot.KindSubmit: "submit", bot.KindClose: "close",
			bot.KindEvent: "event", bot.KindOptions: "options",
		}[kind]
		for _, name := range routes {
			if kind != bot.KindCommand {
				all = append(all, word+" "+name)
			}
		}
	}
	for _, r := range commands.Rows() {
		all = append(all, "verb "+r.Verb)
	}
	slices.Sort(all)
	return all
}

// An action that a person may not take is refused with a sentence, for every person and every way; and
// what a member may do is done for every member.
func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	w := openTown(t, everyone())
	var named []string
	for _, r := range table() {
		named = append(named, r.route)
	}
	slices.Sort(named)
	require.Equal(t, w.everyRoute(), slices.Compact(named), "each route has its row, and no row is of no route")
	for _, s := range everyone() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			a := w.prepare(t, s)
			was := a.state()
			a.change()
			for _, r := range table() {
				a.tries(r)
			}
			if !s.acts {
				require.JSONEq(t, was, a.state(), "nothing was changed")
				return
			}
			require.NotEqual(t, was, a.state(), "a member's deeds are done")
		})
	}
}

// tries is one person doing one thing, and what they read then.
func (a *actor) tries(r row) {
	a.t.Helper()
	wants := r.wants(a.someone)
	if wants == cannot {
		return
	}
	win := a.forms[r.form]
	if win == nil {
		win = a.win()
	}
	a.look(win)
	require.NoError(a.t, r.does(a, win), r.route)
	switch {
	case wants == silence, a.acts && r.marked, r.nowhere && a.name == "robot":
	case a.acts && r.operators:
		a.reads(win, r.route, func(s string) bool { return strings.Contains(s, "Only operators") })
	case a.acts:
		a.reads(win, r.route, func(s string) bool { return !refusal(s) && !strings.Contains(s, "One moment") })
	case wants == anyAnswer:
		a.reads(win, r.route, func(s string) bool { return !a.leaves || !strings.Contains(s, surprise) })
	case wants != "":
		a.reads(win, r.route, func(s string) bool {
			return strings.Contains(s, wants) && (!a.leaves || !strings.Contains(s, surprise))
		})
	case a.leaves:
		a.reads(win, r.route, func(s string) bool { return strings.Contains(s, "There is no ") && !strings.Contains(s, surprise) })
	default:
		a.reads(win, r.route, refusal)
	}
}

// refusal tells the words in which somebody is refused.
func refusal(s string) bool {
	return strings.Contains(s, "may look at orders but not ") || strings.Contains(s, "Only operators")
}
