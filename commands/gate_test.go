package commands_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	cardsaccount "darkroom/cards/account"
	"darkroom/cards/home"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/cards/settings"
	"darkroom/cards/talk"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store/tenants"
)

// aloneRoutes are the routes that work without an account.
var aloneRoutes = map[string]bool{
	"command help": true, "command settings": true,
	"action " + cardsaccount.ActionConnect: true, "action " + cardsaccount.ActionDisconnect: true,
	"action " + home.ActionFilter: true, "action " + home.ActionPage: true,
	"action " + place.ActionDiscard: true, "action " + kit.ActionTyped: true,
	"action " + settings.ActionSettings: true, "action " + settings.ActionSettingsOf: true, "action " + settings.ActionChangePart: true,
	"action " + place.ActionMore: true, "action " + place.ActionEach: true, "action " + talk.ActionRefEach: true, "action " + place.ActionPostTo: true,
	"submit " + cardsaccount.CallbackConnect: true, "submit " + cardsaccount.CallbackDisconnect: true, "submit " + settings.Callback: true,
	"event app_home_opened": true, "event message": true, "event message_metadata_posted": true, "event message_metadata_deleted": true, "event member_joined_channel": true, "event member_left_channel": true,
}

// Every other route answers with who can connect the workspace, and does nothing else.
func TestEveryRouteOfAWorkspaceWithoutAnAccount(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Connects(nil)
		routes := r.Routes()
		require.NotEmpty(r.T, routes[bot.KindSubmit])
		try := func(name string, q bot.Request) {
			if aloneRoutes[name] {
				return
			}
			for _, user := range []string{"maria", "boss"} {
				before := r.Seen()
				q.User = user
				r.Click(q)
				told := r.Since(before)
				require.Contains(r.T, told, "not connected to a photo service", "%s by %s", name, user)
				require.Equal(r.T, user == "boss", strings.Contains(told, cardsaccount.ActionConnect), "%s by %s: a button for admins alone", name, user)
			}
		}
		for _, v := range commands.Rows() {
			try("command "+v.Verb, bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: v.Verb, Text: v.Verb})
		}
		for _, id := range routes[bot.KindAction] {
			id = strings.TrimSuffix(id, "*")
			try("action "+id, bot.Request{Kind: bot.KindAction, Name: id, Value: cards.Value("order001", 0)})
		}
		for _, id := range routes[bot.KindShortcut] {
			try("shortcut "+id, bot.Request{Kind: bot.KindShortcut, Name: id})
		}
		for _, id := range routes[bot.KindEvent] {
			try("event "+id, bot.Request{Kind: bot.KindEvent, Name: id, Event: json.RawMessage(`{"user":"maria","ts":"1.1","text":"hello"}`)})
		}
		for _, id := range routes[bot.KindSubmit] {
			if aloneRoutes["submit "+id] {
				continue
			}
			q := bot.Request{Kind: bot.KindSubmit, ID: id, Name: id, Team: "T1", User: "maria", View: &slack.View{ExternalID: "x1", CallbackID: id}, At: time.Now()}
			reply, err := r.Handle(r.T.Context(), q)
			require.NoError(r.T, err)
			require.Contains(r.T, commandstest.Text(reply.Body), "not connected to a photo service", id)
			q.ViewSummary.Input = "project:1"
			reply, err = r.Handle(r.T.Context(), q)
			require.NoError(r.T, err)
			answer, ok := reply.Body.(*slack.ViewSubmissionResponse)
			require.True(r.T, ok, id)
			require.Equal(r.T, map[string]string{"project:1": cardsaccount.NotConnectedPlain}, answer.Errors, "%s stays open with what was typed", id)
		}
		require.Zero(r.T, r.Worked(), "no job of it")
	})
}

// A write from before the disconnection waits, tells the person once, and runs after the connection.
func TestWhatWasAskedForWaitsForTheAccount(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		accounts := r.Connects(nil)
		account := tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k", Secret: "s"}
		accounts.Now = &account
		r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Types("message order001 Please keep the shadows.")
		accounts.Lock()
		accounts.Now = nil
		accounts.Unlock()
		r.Service.Set(func(f *commandstest.Service) { f.Down = false })
		r.Settle(26 * time.Hour) // longer than every other wait
		told := slices.DeleteFunc(r.Screen.AllMessages(), func(m string) bool { return !strings.Contains(m, "was disconnected from its photo service") })
		require.Len(r.T, told, 1)
		require.EqualValues(r.T, 1, r.Stats().Jobs, "it waits, and is not dead")

		require.NoError(r.T, accounts.Connect(r.T.Context(), account))
		r.Settle(10 * time.Minute)
		require.Zero(r.T, r.Stats().Jobs)
		sent := ""
		r.Service.Edit("order001", func(o *order.Order) { sent = commandstest.Text(o.Conversation) })
		require.Contains(r.T, sent, "Please keep the shadows.")
	})
}
