package cards

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

// account is one whose service, person and words are those of the scene.
func (s scene) account() *store.ServiceAccount {
	return &store.ServiceAccount{URL: "https://api.example.com/v1", Key: "k3y", Secret: "s3cret", By: "U0OLGA", At: now.Add(-time.Hour)}
}

func (s scene) connecting() map[string]any {
	shown := map[string]any{}
	home := func(name string, c Connect) {
		shown["home_"+name] = HomeView(Home{Connect: &c, Credits: decimal.NewNullDecimal(decimal.NewFromInt(88))}, previews, now)
	}
	home("admin", Connect{May: true})
	home("admin_kept", Connect{May: true, Kept: true})
	home("admin_forgetting", Connect{May: true, Forgetting: true})
	home("member", Connect{})
	home("member_installed", Connect{InstalledBy: "U0BEN"})
	home("unreadable_admin", Connect{May: true, Unreadable: true})
	home("unreadable_member", Connect{Unreadable: true, InstalledBy: "U0BEN"})
	home("connected_admin", Connect{May: true, Account: s.account()})
	home("connected_member", Connect{Account: s.account()})
	for name, c := range map[string]Connect{"admin": {May: true}, "member": {InstalledBy: "U0BEN"}} {
		shown["not_connected_"+name] = NotConnected(c)
		shown["waits_"+name] = WaitsForAccount("placing an order", c)
		shown["waits_unreadable_"+name] = WaitsUnreadable("placing an order", c)
	}
	shown["not_connected_forgetting"] = NotConnected(Connect{May: true, Forgetting: true})
	wrong := ConnectForm{URL: "https://api.example.com/v1", Key: "k3y", Was: s.words, Attempt: 2, Wrong: "The service says: " + s.words, Fix: "Copy *API key* again."}
	for name, v := range map[string]slack.ModalViewRequest{
		"form":                 ConnectAccountForm(ConnectForm{}, "x1"),
		"form_change":          ConnectAccountForm(ConnectForm{URL: "https://api.example.com/v1", Was: "api.example.com"}, "x1"),
		"form_wrong":           ConnectAccountForm(wrong, "x1"),
		"connecting":           Connecting("api.example.com", "x1"),
		"connected":            AccountConnected(ServiceFound{Host: "api.example.com", Credits: decimal.NewNullDecimal(decimal.RequireFromString("41.5")), Signature: "php", Numbers: "string", Params: "query"}, "x1"),
		"connected_barely":     AccountConnected(ServiceFound{Host: s.words, Signature: "python", Numbers: "sent", Params: "json", BasicAuth: true, Cautions: []string{"It says " + s.words, ServiceSkew(-2 * time.Hour)}}, "x1"),
		"disconnect":           DisconnectForm(Connect{Account: s.account()}, store.LeavingForgets30, "x1"),
		"disconnect_data":      DisconnectForm(Connect{}, store.LeavingKeeps, "x1"),
		"disconnect_unread":    DisconnectForm(Connect{Unreadable: true}, store.LeavingForgets30, "x1"),
		"connected_since":      ConnectedSince("x1"),
		"disconnecting":        DisconnectingNow("x1"),
		"disconnected":         Disconnected("api.example.com", Disconnecting{Data: DataKeep}, "x1"),
		"disconnected_copied":  Disconnected("api.example.com", Disconnecting{Data: DataExport, Leaving: store.LeavingKeeps}, "x1"),
		"disconnected_forgets": Disconnected("", Disconnecting{Data: DataForget, Leaving: store.LeavingForgets}, "x1"),
	} {
		shown[name] = v
	}
	shown["workspace_forgotten"] = WorkspaceForgotten(1234)
	shown["not_connected_closed"] = NotConnectedBecause(wrong)
	return shown
}

func TestConnecting(t *testing.T) { golden(t, scene.connecting) }

// filledAccount is a form as somebody filled it in.
func filledAccount(v slack.ModalViewRequest, values map[string]string, same bool) slack.View {
	view := slack.View{PrivateMetadata: v.PrivateMetadata, State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}}
	for _, b := range v.Blocks.BlockSet {
		in, ok := b.(*slack.InputBlock)
		if !ok {
			continue
		}
		action := slack.BlockAction{Value: values[in.Label.Text]}
		if same && in.Label.Text == "The orders that are here" {
			action.SelectedOptions = []slack.OptionBlockObject{{Value: "same"}}
		}
		field, _, _ := strings.Cut(in.BlockID, ":")
		view.State.Values[in.BlockID] = map[string]slack.BlockAction{field: action}
	}
	return view
}

func TestReadingAnAccount(t *testing.T) {
	good := map[string]string{"Base URL": " https://api.example.com/v1/ ", "API key": "k3y\n", "API secret": "\ts3cret "}
	form := ConnectAccountForm(ConnectForm{Was: "api.example.com", Attempt: 3}, "x1")
	a, same, problems := DecodeConnect(filledAccount(form, good, true))
	require.Empty(t, problems)
	require.True(t, same)
	require.Equal(t, store.ServiceAccount{URL: "https://api.example.com/v1", Key: "k3y", Secret: "s3cret"}, a)
	require.Equal(t, 3, ConnectAttempt(filledAccount(form, good, true)))

	for name, test := range map[string]struct{ field, typed, block, says string }{
		"no url":        {"Base URL", " ", "serviceurl:3", "is missing"},
		"no key":        {"API key", "", "servicekey:3", "is missing"},
		"no secret":     {"API secret", "\n", "servicesecret:3", "is missing"},
		"two keys":      {"API key", "a b", "servicekey:3", "has a space in it"},
		"a long secret": {"API secret", strings.Repeat("x", 301), "servicesecret:3", "at most 300 fit"},
		"a long url":    {"Base URL", "https://a.example/" + strings.Repeat("x", 500), "serviceurl:3", "at most 500 fit"},
	} {
		t.Run(name, func(t *testing.T) {
			values := maps.Clone(good)
			values[test.field] = test.typed
			_, same, problems := DecodeConnect(filledAccount(form, values, false))
			require.False(t, same)
			require.Len(t, problems, 1)
			require.Contains(t, problems[test.block], test.says)
		})
	}
	_, _, problems = DecodeConnect(slack.View{})
	require.Len(t, problems, 3, "a form without anything is no reason to panic")
}

// A secret is in nothing that is shown, also not the one that works now.
func TestNoCardShowsAKeyOrSecret(t *testing.T) {
	for name, s := range scenes() {
		for card, v := range s.connecting() {
			text := pretty(t, v)
			require.NotContains(t, text, "s3cret", "%s %s", name, card)
			if card != "form_wrong" { // what was typed is given back, in the window of who typed it
				require.NotContains(t, text, "k3y", "%s %s", name, card)
			}
		}
	}
}

func TestReadingWhatBecomesOfTheData(t *testing.T) {
	form := DisconnectForm(Connect{Account: scenes()["plain"].account()}, store.LeavingKeeps, "x1")
	read := func(data, word, leaving string) (Disconnecting, map[string]string) {
		view := slack.View{State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}}
		for _, b := range form.Blocks.BlockSet {
			in, ok := b.(*slack.InputBlock)
			if !ok {
				continue
			}
			action := slack.BlockAction{}
			switch field, _, _ := strings.Cut(in.BlockID, ":"); field {
			case fieldData:
				action.SelectedOption.Value = data
			case fieldForget:
				action.Value = word
			case fieldLeaving:
				action.SelectedOption.Value = leaving
			}
			view.State.Values[in.BlockID] = map[string]slack.BlockAction{"x": action}
		}
		return DecodeDisconnect(view)
	}
	for name, test := range map[string]struct {
		data, word, leaving string
		want                Disconnecting
		problem             string
	}{
		"kept":            {"keep", "", "30", Disconnecting{Data: DataKeep, Leaving: store.LeavingForgets30}, ""},
		"a copy":          {"export", "", "keep", Disconnecting{Data: DataExport, Leaving: store.LeavingKeeps}, ""},
		"forgotten":       {"forget", " FORGET ", "forget", Disconnecting{Data: DataForget, Leaving: store.LeavingForgets}, ""},
		"forget, no word": {"forget", "", "30", Disconnecting{Data: DataForget, Leaving: store.LeavingForgets30}, "type FORGET"},
		"forget, small":   {"forget", "forget", "30", Disconnecting{Data: DataForget, Leaving: store.LeavingForgets30}, "type FORGET"},
		"a word, kept":    {"keep", "FORGET", "30", Disconnecting{Data: DataKeep, Leaving: store.LeavingForgets30}, "Choose"},
		"nothing chosen":  {"", "FORGET", "odd", Disconnecting{Leaving: store.LeavingForgets30}, "Choose above"},
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
	_, problems := DecodeDisconnect(slack.View{})
	require.NotEmpty(t, problems, "a form without anything decides nothing")
}
