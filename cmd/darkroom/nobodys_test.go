package main

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cmd/darkroom/config"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

// Two organisations have the app, and what comes names no workspace: it is nobody's. Rooms of an
// organisation's id would be common to its workspaces, and making some of no id ends the process.
func TestWhatNamesNoWorkspaceIsNobodys(t *testing.T) {
	t.Parallel()
	environ := slices.DeleteFunc(working(), func(v string) bool {
		return strings.HasPrefix(v, "SLACK_BOT_TOKEN=") || strings.HasPrefix(v, "UPSTREAM_")
	})
	redis := storetest.Embed(t)
	cfg, err := config.Read(append(environ, "REDIS_URL=redis://"+redis.Addr(), "PUBLIC_URL=https://darkroom.example.com",
		"FILE_SIGNING_KEY="+strings.Repeat("k", 40), "SLACK_CLIENT_ID=1.2", "SLACK_CLIENT_SECRET=s3cret-client", "ENCRYPTION_KEY="+newerKey))
	require.NoError(t, err)
	a, err := newApp(cfg, slog.New(slog.DiscardHandler), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.close()) })
	for _, id := range []string{"E0ONE", "E0TWO"} {
		require.NoError(t, a.many.Directory.Installations.Install(t.Context(), installation(id, id)))
	}
	before := redis.Keys()
	for _, q := range []bot.Request{
		{Enterprise: "E0ONE"}, {Enterprise: "E0TWO"}, {Team: "E0ONE"}, {Team: "E0ONE", Enterprise: "E0ONE"}, {},
	} {
		_, err := a.many.AppFor(t.Context(), q)
		require.ErrorIs(t, err, bot.ErrNotOurs, "%+v", q)
		require.ErrorIs(t, err, tenants.ErrNotInstalled)
	}
	form := bot.Request{Kind: bot.KindSubmit, Name: "approve", Team: "T0NOBODY", View: &slack.View{ExternalID: "w1"}}
	typed := form
	typed.ViewSummary.Input = "feedback"
	for _, q := range []bot.Request{{Kind: bot.KindCommand, Name: "/order", Team: "T0NOBODY"}, form, typed} {
		require.Contains(t, text(a.front.Handle(t.Context(), q).Body), "add me again at https://darkroom.example.com/slack/install", "%+v", q)
	}
	require.Equal(t, before, redis.Keys())
	one, err := a.many.AppFor(t.Context(), bot.Request{Team: "T0ONE", Enterprise: "E0ONE", Certain: true})
	require.NoError(t, err)
	two, err := a.many.AppFor(t.Context(), bot.Request{Team: "T0TWO", Enterprise: "E0TWO", Certain: true})
	require.NoError(t, err)
	require.Equal(t, []string{"T0ONE", "T0TWO"}, []string{one.ID, two.ID})
}
