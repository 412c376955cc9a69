package commands_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/home"
	"darkroom/cards/place"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/order"
)

// glances are the read-only requests, one of each kind.
var glances = func() map[string]func(r *commandstest.Rig) bot.Request {
	all := map[string]func(r *commandstest.Rig) bot.Request{
		"the Home": func(*commandstest.Rig) bot.Request {
			return bot.Request{Kind: bot.KindEvent, ID: "Ev1", Name: "app_home_opened", Team: "T1", User: "maria", Channel: "D1", Event: json.RawMessage(`{"tab":"home"}`)}
		},
		"Order these photos": func(*commandstest.Rig) bot.Request {
			q := pressed("", "")
			q.Kind, q.Name, q.Message = bot.KindShortcut, commands.ShortcutPhotos, &slack.Message{Msg: slack.Msg{Text: "Brighten it."}}
			return q
		},
		"Add as reference": func(*commandstest.Rig) bot.Request {
			q := pressed("", "")
			q.Kind, q.Name, q.Message = bot.KindShortcut, commands.ShortcutReference, &slack.Message{Msg: slack.Msg{Timestamp: "300.1"}}
			return q
		},
		"New photo order": func(*commandstest.Rig) bot.Request {
			q := pressed("", "")
			q.Kind, q.Name = bot.KindShortcut, commands.ShortcutNew
			return q
		},
	}
	for name, line := range map[string][2]string{
		"no verb": {"", ""}, "photos": {"https://e.com/a.jpg", ""}, "new": {"new", "https://e.com/a.jpg"}, "list": {"list", "all"},
		"list account": {"list", "account"}, "show": {"show", "order1"}, "show nothing": {"show", "order99"}, "approve": {"approve", "order1 Lovely"},
		"revise": {"revise", "order1 Warmer"}, "which one": {"cancel", "too late"}, "cancel": {"cancel", "order1"}, "message": {"message", "order1"},
		"reference": {"reference", "order1"}, "move": {"move", "order1"}, "balance": {"balance", ""}, "settings": {"settings", ""},
		"again": {"again", "order1"}, "help": {"help", ""}, "help show": {"help", "show"}, "no such verb": {"aprove", "order1"},
	} {
		all["/order "+name] = func(r *commandstest.Rig) bot.Request { return r.TypedAs(line[0], line[1]) }
	}
	for name, button := range map[string][2]string{
		"Approve": {cards.ActionApprove, cards.Value("order1", 1)}, "Request changes": {cards.ActionRevise, cards.Value("order1", 1)},
		"Show details": {cards.ActionShow, cards.Value("order1", 1)}, "the card's menu": {cards.ActionMenu, "message " + cards.Value("order1", 1)},
		"a pick": {cards.ActionPick + "show", cards.Value("order1", 1)}, "a page": {cards.ActionList + "older", `{"channel":"C1","page":1}`},
		"all orders": {home.ActionFilter, "true:"}, "a page of the Home": {home.ActionPage + "older", "1"},
		"an unfinished form": {place.ActionOpen, ""},
	} {
		all[name] = func(r *commandstest.Rig) bot.Request {
			if button[1] == "" {
				r.Types("new")
				button[1] = r.Draft().ID
			}
			return pressed(button[0], button[1])
		}
	}
	return all
}()

func pressed(action, value string) bot.Request {
	return bot.Request{
		Kind: bot.KindAction, ID: "T1.1", TriggerID: "T1.1", Name: action, Value: value, ResponseURL: "https://hooks.slack.com/1",
		Team: "T1", User: "maria", Channel: "C1", At: time.Now(),
	}
}

// glancing plays with each read-only request, over an order in review.
func glancing(t *testing.T, play func(r *commandstest.Rig, q bot.Request)) {
	t.Helper()
	for name, ask := range glances {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				q := ask(r)
				r.Settle(20 * time.Minute) // the order's own jobs have run
				q.At = time.Now()
				play(r, q)
			})
		})
	}
}

// asksFor delivers a request once and returns what the person sees, including the Home tab.
func asksFor(ctx context.Context, r *commandstest.Rig, q bot.Request) string {
	r.T.Helper()
	before := r.Seen()
	_, err := r.Handle(ctx, q)
	require.NoError(r.T, err)
	r.Settle(time.Minute)
	return r.Since(before) + updated.ReplaceAllString(r.Home("maria"), "")
}

// updated is when a Home was published.
var updated = regexp.MustCompile(`Updated [^"]*`)

// People repeat a read-only request that they saw no answer to, and Slack sometimes delivers one twice: the answer is
// the same.
func TestALookIsNoJobAndDoesNoHarmWhenItIsBroughtAgain(t *testing.T) {
	glancing(t, func(r *commandstest.Rig, q bot.Request) {
		worked := r.Worked()
		first := asksFor(r.T.Context(), r, q)
		require.NotEmpty(r.T, first)
		require.NotContains(r.T, first, "One moment")
		before, windows, painted := kept(r), len(r.Screen.Views), paints(r)
		again := asksFor(r.T.Context(), r, q)
		require.Equal(r.T, before, kept(r), "what is kept in Redis")
		require.Len(r.T, r.Screen.Views, windows)
		require.Equal(r.T, painted, paints(r), "somebody may be typing in it")
		require.Equal(r.T, worked, r.Worked(), "jobs")
		if again != "" { // the open window stays as it is
			require.Equal(r.T, first, again)
		}
	})
}

// kept returns the content of Redis, without the queue's sweeper and the writers of documents.
func kept(r *commandstest.Rig) string { return hands.ReplaceAllString(r.Server.Dump(), "") }

var hands = regexp.MustCompile(`- \{darkroom\}:q:sweep\n.*\n|\\"by\\":\\"[A-Z0-9]+\\"`)

// paints returns the number of updates of each open window.
func paints(r *commandstest.Rig) map[string]int {
	all := map[string]int{}
	for window := range maps.Clone(r.Screen.Modals) {
		all[window] = r.Screen.Painted(window)
	}
	return all
}

// Redis may fail at any command of a read-only request. No job retries it: the person reads the failure or the answer.
func TestALookDuringAnOutageOfRedisIsAnswered(t *testing.T) {
	every := int64(3) // break at every third command
	if os.Getenv("DARKROOM_TEST_ALL") != "" {
		every = 1
	}
	for name, ask := range glances {
		for n, broke := int64(1), true; broke && n < 30; n += every {
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					r.InReview()
					q := ask(r)
					r.Flaky.Left.Store(n)
					seen := asksFor(context.WithValue(r.T.Context(), commandstest.AtWork{}, true), r, q)
					broke = r.Flaky.Left.Load() <= 0
					require.NotEmpty(r.T, seen)
					require.NotContains(r.T, seen, "One moment")
					require.NotContains(r.T, seen, "went wrong")
				})
			})
		}
	}
}

func TestALookWhileRedisOrSlackIsAwaySaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		away := context.WithValue(r.T.Context(), commandstest.AtWork{}, true)
		r.Flaky.Left.Store(1)
		require.Contains(r.T, asksFor(away, r, r.TypedAs("list", "")), cards.Unseen)
		r.Flaky.Left.Store(1)
		require.Contains(r.T, asksFor(away, r, pressed(cards.ActionList+"older", `{"channel":"C1"}`)), cards.Unseen)
		r.Flaky.Left.Store(2) // after its window has opened
		require.Contains(r.T, asksFor(away, r, pressed(cards.ActionApprove, cards.Value("order1", 1))), cards.Unseen)
		r.Screen.SetChannels(map[string]commandstest.Channel{"C1": {Mute: true}})
		require.Contains(r.T, asksFor(r.T.Context(), r, r.TypedAs("list", "")), "Slack did not let me answer in time")
	})
}

// acknowledged returns a line's acknowledgement and the time it took.
func acknowledged(r *commandstest.Rig, q bot.Request) (says string, took time.Duration) {
	r.T.Helper()
	began := time.Now()
	reply, err := r.Handle(r.T.Context(), q)
	require.NoError(r.T, err)
	if reply.Body != nil {
		says = commandstest.Text(reply.Body)
	}
	return says, time.Since(began)
}

func TestAnAnswerThatIsSoonThereIsTheAcknowledgement(t *testing.T) {
	for line, says := range map[string]string{"help": "/order approve", "balance": "100", "list": "Smith wedding", "show order1": "Smith wedding", "aprove": "/order approve", "show order99": "order99"} {
		t.Run(line, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				verb, args := cutLine(line)
				before := len(r.Screen.Ephemerals)
				answer, took := acknowledged(r, r.TypedAs(verb, args))
				require.Contains(r.T, answer, says)
				require.Less(r.T, took, commands.AckPatience)
				r.Settle(time.Minute)
				require.Len(r.T, r.Screen.Ephemerals, before+1, "it is said once")
			})
		})
	}
}

func cutLine(line string) (verb, args string) {
	for i, letter := range line {
		if letter == ' ' {
			return line[:i], line[i+1:]
		}
	}
	return line, ""
}

// Slack reports no error for an acknowledgement, so an answer that it may refuse is sent as a message.
func TestAnAnswerWithPicturesIsNoAcknowledgement(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Delivers(2)
		r.Screen.Lock()
		r.Screen.NoPictures = true
		r.Screen.Unlock()
		says, took := acknowledged(r, r.TypedAs("show", "order1"))
		require.Empty(r.T, says)
		require.Zero(r.T, took)
		r.Settle(time.Minute)
		require.Contains(r.T, r.Screen.LastMessage(), "Smith wedding", "it comes without them")
	})
}

func TestAnAnswerThatTakesItsTimeComesAfterTheAcknowledgement(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.Set(func(f *commandstest.Service) { f.BalanceDelay = 2 * time.Second })
		says, took := acknowledged(r, r.TypedAs("balance", ""))
		require.Empty(r.T, says)
		require.Equal(r.T, commands.AckPatience, took)
		require.Empty(r.T, r.Screen.AllMessages())
		r.Settle(time.Minute)
		require.Len(r.T, r.Screen.AllMessages(), 1)
		require.Contains(r.T, r.Screen.LastMessage(), "100")
	})
}

func TestNothingHoldsUpAForm(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.Set(func(f *commandstest.Service) { f.BalanceDelay = 4 * time.Second })
		for _, q := range []bot.Request{r.TypedAs("new", ""), pressed(home.ActionNew, "")} {
			q.TriggerID, q.ID = string(q.Kind), string(q.Kind)
			says, took := acknowledged(r, q)
			require.Empty(r.T, says)
			require.Zero(r.T, took)
			r.Settle(time.Second)
			require.Contains(r.T, r.Screen.Modal(), "One moment")
			r.Settle(time.Minute)
			require.Contains(r.T, r.Screen.Modal(), "Instructions")
		}
	})
}

func TestALookWithoutAPlaceSaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		back := r.Commands.Fill()
		says, _ := acknowledged(r, r.TypedAs("list", ""))
		require.Contains(r.T, says, cards.Busy)
		require.Contains(r.T, asksFor(r.T.Context(), r, pressed(cards.ActionShow, cards.Value("order1", 1))), cards.Busy)
		reply, err := r.Handle(r.T.Context(), glances["the Home"](r))
		require.NoError(r.T, err)
		require.Equal(r.T, bot.Reply{Again: true}, reply, "Slack brings it again")
		require.NotContains(r.T, asksFor(r.T.Context(), r, r.TypedAs("message", "order1 Softer")), cards.Busy, "a deed is a job")
		back()
		require.Contains(r.T, asksFor(r.T.Context(), r, r.TypedAs("list", "")), "Smith wedding")
	})
}

func TestALookThatPanicsIsToldAndGivesItsPlaceBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Assemble("maria")
		r.Service.Set(func(f *commandstest.Service) {
			f.Instead = func(order.Page) (order.Page, error) { panic("nobody foresaw this") }
		})
		says, _ := acknowledged(r, r.TypedAs("list", "account"))
		require.Contains(r.T, says, "went wrong")
		require.NoError(r.T, r.Running.Wait(r.T.Context()))
	})
}

func TestWhoStopsWaitsForLooks(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.Set(func(f *commandstest.Service) { f.BalanceDelay = 3 * time.Second })
		acknowledged(r, r.TypedAs("balance", ""))
		hurried, cancel := context.WithTimeout(r.T.Context(), time.Second)
		defer cancel()
		require.ErrorIs(r.T, r.Running.Wait(hurried), context.DeadlineExceeded)
		require.Empty(r.T, r.Screen.AllMessages())
		require.NoError(r.T, r.Running.Wait(r.T.Context()))
		require.Len(r.T, r.Screen.AllMessages(), 1)
	})
}

// Of two concurrent choices in a Home, the later one is shown in the end, however long publishing the first takes.
func TestTheNewestTurnOfAHomeStays(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		for i := range 24 {
			r.Owns(fmt.Sprintf("order%03d", i), "C1", "maria", nil)
		}
		r.Comes("maria")
		r.Turns("maria", home.ActionFilter, "false:progress")
		r.Screen.Lock()
		r.Screen.Slow = 5 * time.Second
		r.Screen.Unlock()
		r.Turns("maria", home.ActionPage+"older", "1")
		require.Contains(r.T, r.Turns("maria", home.ActionPage+"older", "2"), "page 3 of 3")
		r.Settle(time.Minute)
		require.Contains(r.T, r.Home("maria"), "page 3 of 3")
	})
}

// Two choices arrive in the wrong order: Slack's timestamps decide.
func TestATurnOfAHomeThatArrivesAfterANewerOneChangesNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		r.Comes("maria")
		turn := func(section, ts string) {
			r.Does(bot.Request{Name: home.ActionFilter, Value: "false:" + section, View: commandstest.AtHome(), ActionTS: ts})
		}
		turn("progress", "1763706000.000200")
		turn("review", "1763706000.000100")
		require.Contains(r.T, r.Home("maria"), "Project order001")
		turn("review", "1763706000.000300")
		require.NotContains(r.T, r.Home("maria"), "Project order001")
		require.NotContains(r.T, r.Comes("maria"), "Project order001", "the newest is kept")
	})
}

// The first choice reads the state before the second one and writes after it: the second one stays.
func TestATurnOfAHomeThatIsWrittenOverIsKeptAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		r.Comes("maria")
		r.Turns("maria", home.ActionFilter, "false:progress")
		r.Screen.Lock()
		r.Screen.Slow = 5 * time.Second
		r.Screen.Unlock()
		r.Does(bot.Request{Name: home.ActionFilter, Value: "false:progress", View: commandstest.AtHome(), ActionTS: "1763706000.000200"})
		older := jobs.HomeState{Filter: home.Filter{Section: home.Review}, TS: "1763706000.000100"}
		require.NoError(r.T, r.Store.Documents.PutPersonal(r.T.Context(), "maria", jobs.HomeDoc("T1", "maria"), older, jobs.HomeLife))
		r.Settle(time.Minute)
		require.Contains(r.T, r.Home("maria"), "Project order001")
		require.Contains(r.T, r.Comes("maria"), "Project order001")
	})
}
