package bot_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
)

// TestEachWorkspaceHasItsOwnHandlers: the front router's handlers come first, and a request without a
// handler is acknowledged.
func TestEachWorkspaceHasItsOwnHandlers(t *testing.T) {
	its := map[string]*bot.Router{"T1": bot.NewRouter(nil), "T2": bot.NewRouter(nil)}
	its["T1"].Command("/order", named("one"))
	its["T2"].Command("/order", named("two"))
	its["T2"].Instant("/order", func(r bot.Request) (bot.Reply, bool) { return bot.Reply{Body: "at once"}, r.Verb == "help" })
	front := bot.NewRouter(nil)
	front.Event("app_uninstalled", named("removed"))
	front.Dispatch(func(_ context.Context, q bot.Request) (*bot.Router, error) {
		switch router := its[q.Team]; {
		case router != nil:
			return router, nil
		case q.Team == "T3":
			return nil, bot.ErrNotOurs
		}
		return nil, errors.New("redis is away")
	}, its["T1"])
	front.NotOurs(func(bot.Request) bot.Reply { return bot.Reply{Body: "not here"} })
	for name, tt := range map[string]struct {
		q    bot.Request
		want any
	}{
		"of one":                   {bot.Request{Kind: bot.KindCommand, Name: "/order", Team: "T1"}, "one"},
		"of another":               {bot.Request{Kind: bot.KindCommand, Name: "/order", Team: "T2"}, "two"},
		"answered at once":         {bot.Request{Kind: bot.KindCommand, Name: "/order", Verb: "help", Team: "T2"}, "at once"},
		"the app's own":            {bot.Request{Kind: bot.KindEvent, Name: "app_uninstalled", Team: "T1"}, "removed"},
		"unknown to its own":       {bot.Request{Kind: bot.KindAction, Name: "drift", Team: "T1"}, nil},
		"where the app is no more": {bot.Request{Kind: bot.KindCommand, Name: "/order", Team: "T3"}, "not here"},
		"a button there":           {bot.Request{Kind: bot.KindAction, Name: "approve", Team: "T3"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, bot.Reply{Body: tt.want}, front.Handle(t.Context(), tt.q))
		})
	}
	reply := front.Handle(t.Context(), bot.Request{Kind: bot.KindEvent, Name: "message", Team: "T4"})
	assert.True(t, reply.Again, "whose it is could not be found out: Slack sends it again")
}

// TestAWorkspaceTakesNoMoreThanItsPlaces: a request over a workspace's bound is answered as busy; another
// workspace's is answered.
func TestAWorkspaceTakesNoMoreThanItsPlaces(t *testing.T) {
	began, release := make(chan bool), make(chan bool)
	busy, quiet := bot.NewRouter(nil), bot.NewRouter(nil)
	busy.LimitHandlers(1)
	busy.Event("message", func(context.Context, bot.Request) (bot.Reply, error) {
		began <- true
		<-release
		return bot.Reply{}, nil
	})
	quiet.Event("message", named("quiet"))
	front := bot.NewRouter(nil)
	front.Dispatch(func(_ context.Context, q bot.Request) (*bot.Router, error) {
		if q.Team == "T1" {
			return busy, nil
		}
		return quiet, nil
	}, quiet)
	first := make(chan bot.Reply)
	go func() {
		first <- front.Handle(t.Context(), bot.Request{Kind: bot.KindEvent, Name: "message", Team: "T1"})
	}()
	<-began
	require.True(t, front.Handle(t.Context(), bot.Request{Kind: bot.KindEvent, Name: "message", Team: "T1"}).Again)
	require.Equal(t, bot.Reply{Body: "quiet"}, front.Handle(t.Context(), bot.Request{Kind: bot.KindEvent, Name: "message", Team: "T2"}))
	close(release)
	require.False(t, (<-first).Again)
}
