package account_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"darkroom/cards/account"
	"darkroom/cards/cardstest"
	"darkroom/cards/home"
	"darkroom/store/tenants"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// connectedAccount returns an account with the scene's text.
func connectedAccount(s cardstest.Scene) *tenants.ServiceAccount {
	return &tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k3y", Secret: "s3cret", By: "U0OLGA", At: cardstest.Now.Add(-time.Hour)}
}

func connecting(s cardstest.Scene) map[string]any {
	shown := map[string]any{}
	show := func(name string, c account.View) {
		shown["home_"+name] = home.Tab(home.View{Connect: &c, Credits: decimal.NewNullDecimal(decimal.NewFromInt(88))}, cardstest.Previews, cardstest.Now)
	}
	show("admin", account.View{MayConnect: true})
	show("admin_kept", account.View{MayConnect: true, HasOrders: true})
	show("admin_forgetting", account.View{MayConnect: true, Forgetting: true})
	show("member", account.View{})
	show("member_installed", account.View{InstalledBy: "U0BEN"})
	show("unreadable_admin", account.View{MayConnect: true, Unreadable: true})
	show("unreadable_member", account.View{Unreadable: true, InstalledBy: "U0BEN"})
	show("connected_admin", account.View{MayConnect: true, Account: connectedAccount(s)})
	show("connected_member", account.View{Account: connectedAccount(s)})
	for name, c := range map[string]account.View{"admin": {MayConnect: true}, "member": {InstalledBy: "U0BEN"}} {
		shown["not_connected_"+name] = account.NotConnected(c)
		shown["waits_"+name] = account.WaitsForAccount("placing an order", c)
		shown["waits_unreadable_"+name] = account.WaitsUnreadable("placing an order", c)
	}
	shown["not_connected_forgetting"] = account.NotConnected(account.View{MayConnect: true, Forgetting: true})
	wrong := account.Form{URL: "https://api.example.com/v1", Key: "k3y", FormerHost: s.Words, Attempt: 2, Wrong: "The photo service says: " + s.Words, Fix: "Copy *API key* again."}
	for name, v := range map[string]slack.ModalViewRequest{
		"form":                 account.ConnectWindow(account.Form{}, "x1"),
		"form_change":          account.ConnectWindow(account.Form{URL: "https://api.example.com/v1", FormerHost: "api.example.com"}, "x1"),
		"form_wrong":           account.ConnectWindow(wrong, "x1"),
		"connecting":           account.Connecting("api.example.com", "x1"),
		"connected":            account.Connected(account.ServiceFound{Host: "api.example.com", Credits: decimal.NewNullDecimal(decimal.RequireFromString("41.5"))}, "x1"),
		"connected_barely":     account.Connected(account.ServiceFound{Host: s.Words, BasicAuth: true, Cautions: []string{"It says " + s.Words, account.ServiceSkew(-2 * time.Hour)}}, "x1"),
		"disconnect":           account.DisconnectWindow(account.View{Account: connectedAccount(s)}, tenants.LeavingForgets30, "x1"),
		"disconnect_data":      account.DisconnectWindow(account.View{}, tenants.LeavingKeeps, "x1"),
		"disconnect_unread":    account.DisconnectWindow(account.View{Unreadable: true}, tenants.LeavingForgets30, "x1"),
		"connected_since":      account.ConnectedSince("x1"),
		"disconnecting":        account.DisconnectingNow("x1"),
		"disconnected":         account.Disconnected("api.example.com", account.Disconnecting{Data: account.DataKeep}, "x1"),
		"disconnected_copied":  account.Disconnected("api.example.com", account.Disconnecting{Data: account.DataExport, Leaving: tenants.LeavingKeeps}, "x1"),
		"disconnected_forgets": account.Disconnected("", account.Disconnecting{Data: account.DataForget, Leaving: tenants.LeavingForgets}, "x1"),
	} {
		shown[name] = v
	}
	shown["workspace_forgotten"] = account.WorkspaceForgotten(1234)
	shown["not_connected_closed"] = account.NotConnectedBecause(wrong)
	return shown
}

func TestConnecting(t *testing.T) { cardstest.Golden(t, connecting) }

// filledAccount returns a submitted form.
func filledAccount(v slack.ModalViewRequest, values map[string]string, same bool) slack.View {
	view := slack.View{PrivateMetadata: v.PrivateMetadata, State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}}
	for _, b := range v.Blocks.BlockSet {
		in, ok := b.(*slack.InputBlock)
		if !ok {
			continue
		}
		action := slack.BlockAction{Value: values[in.Label.Text]}
		if same && in.Label.Text == "This workspace's orders" {
			action.SelectedOptions = []slack.OptionBlockObject{{Value: "same"}}
		}
		field, _, _ := strings.Cut(in.BlockID, ":")
		view.State.Values[in.BlockID] = map[string]slack.BlockAction{field: action}
	}
	return view
}

func TestReadingAnAccount(t *testing.T) {
	good := map[string]string{"Base URL": " https://api.example.com/v1/ ", "API key": "k3y\n", "API secret": "\ts3cret ", "Price list": " basic=1 "}
	form := account.ConnectWindow(account.Form{FormerHost: "api.example.com", Attempt: 3}, "x1")
	a, same, problems := account.DecodeConnect(filledAccount(form, good, true))
	require.Empty(t, problems)
	require.True(t, same)
	require.Equal(t, tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k3y", Secret: "s3cret", Prices: "basic=1"}, a)
	require.Equal(t, 3, account.Attempt(filledAccount(form, good, true)))

	for name, test := range map[string]struct{ field, typed, block, says string }{
		"no url":        {"Base URL", " ", "serviceurl:3", "is missing"},
		"no key":        {"API key", "", "servicekey:3", "is missing"},
		"no secret":     {"API secret", "\n", "servicesecret:3", "is missing"},
		"two keys":      {"API key", "a b", "servicekey:3", "has a space in it"},
		"a long secret": {"API secret", strings.Repeat("x", 301), "servicesecret:3", "at most 300 fit"},
		"a wrong price": {"Price list", "basic=cheap", "prices:3", "write basic=1"},
		"a long url":    {"Base URL", "https://a.example/" + strings.Repeat("x", 500), "serviceurl:3", "at most 500 fit"},
	} {
		t.Run(name, func(t *testing.T) {
			values := maps.Clone(good)
			values[test.field] = test.typed
			_, same, problems := account.DecodeConnect(filledAccount(form, values, false))
			require.False(t, same)
			require.Len(t, problems, 1)
			require.Contains(t, problems[test.block], test.says)
		})
	}
	_, _, problems = account.DecodeConnect(slack.View{})
	require.Len(t, problems, 3, "a form without anything is no reason to panic")
}

// No text shows a secret, not even the current one.
func TestNoCardShowsAKeyOrSecret(t *testing.T) {
	for name, s := range cardstest.Scenes() {
		for card, v := range connecting(s) {
			text := cardstest.Pretty(t, v)
			require.NotContains(t, text, "s3cret", "%s %s", name, card)
			if card != "form_wrong" { // what was typed is given back, in the window of who typed it
				require.NotContains(t, text, "k3y", "%s %s", name, card)
			}
		}
	}
}

func TestReadingWhatBecomesOfTheData(t *testing.T) {
	form := account.DisconnectWindow(account.View{Account: connectedAccount(cardstest.Scenes()["plain"])}, tenants.LeavingKeeps, "x1")
	read := func(data, word, leaving string) (account.Disconnecting, map[string]string) {
		view := slack.View{State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}}
		for _, b := range form.Blocks.BlockSet {
			in, ok := b.(*slack.InputBlock)
			if !ok {
				continue
			}
			action := slack.BlockAction{}
			switch field, _, _ := strings.Cut(in.BlockID, ":"); field {
			case account.FieldData:
				action.SelectedOption.Value = data
			case account.FieldForget:
				action.Value = word
			case account.FieldLeaving:
				action.SelectedOption.Value = leaving
			}
			view.State.Values[in.BlockID] = map[string]slack.BlockAction{"x": action}
		}
		return account.DecodeDisconnect(view)
	}
	for name, test := range map[string]struct {
		data, word, leaving string
		want                account.Disconnecting
		problem             string
	}{
		"kept":            {"keep", "", "30", account.Disconnecting{Data: account.DataKeep, Leaving: tenants.LeavingForgets30}, ""},
		"a copy":          {"export", "", "keep", account.Disconnecting{Data: account.DataExport, Leaving: tenants.LeavingKeeps}, ""},
		"forgotten":       {"forget", " DELETE ", "forget", account.Disconnecting{Data: account.DataForget, Leaving: tenants.LeavingForgets}, ""},
		"forget, no word": {"forget", "", "30", account.Disconnecting{Data: account.DataForget, Leaving: tenants.LeavingForgets30}, "type DELETE"},
		"forget, small":   {"forget", "delete", "30", account.Disconnecting{Data: account.DataForget, Leaving: tenants.LeavingForgets30}, "type DELETE"},
		"a word, kept":    {"keep", "DELETE", "30", account.Disconnecting{Data: account.DataKeep, Leaving: tenants.LeavingForgets30}, "Choose"},
		"nothing chosen":  {"", "DELETE", "odd", account.Disconnecting{Leaving: tenants.LeavingForgets30}, "Choose what happens"},
	} {
		t.Run(name, func(t *testing.T) {
			got, problems := read(test.data, test.word, test.leaving)
			require.Equal(t, test.want, got)
			if test.problem == "" {
				require.Empty(t, problems)
				return
			}
			require.Contains(t, problems["forgetword:0"], test.problem)
		})
	}
	_, problems := account.DecodeDisconnect(slack.View{})
	require.NotEmpty(t, problems, "a form without anything decides nothing")
}
