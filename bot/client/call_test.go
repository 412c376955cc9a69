package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"darkroom/bot/client"

	"github.com/stretchr/testify/require"
)

// watchedClient calls a Slack with a given answer and records the observed calls.
func watchedClient(t *testing.T, status int, body string) (*client.Client, *[]client.Call) {
	t.Helper()
	slack := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(slack.Close)
	told := &[]client.Call{}
	c := client.New(client.Config{Token: token, APIURL: slack.URL + "/api/", Observe: func(call client.Call) { *told = append(*told, call) }})
	t.Cleanup(c.Close)
	return c, told
}

func TestWhoeverWatchesHearsHowEachCallToSlackEnded(t *testing.T) {
	tests := map[string]struct {
		call   func(context.Context, *client.Client) error
		status int
		body   string
		want   client.Call
	}{
		"an answer":             {edit, 200, `{"ok":true}`, client.Call{Method: "chat.update", Outcome: client.CallOK}},
		"no answer of Slack's":  {edit, 502, `<html>`, client.Call{Method: "chat.update", Outcome: "try_later"}},
		"a post, and no answer": {post, 502, `<html>`, client.Call{Method: "chat.postMessage", Outcome: "unknown"}},
		"a dead token":          {edit, 200, `{"ok":false,"error":"token_revoked"}`, client.Call{Method: "chat.update", Outcome: "token"}},
		"too little permission": {edit, 200, `{"ok":false,"error":"missing_scope"}`, client.Call{Method: "chat.update", Outcome: "missing_scope"}},
		"a picture":             {edit, 200, `{"ok":false,"error":"invalid_blocks","response_metadata":{"messages":["downloading image failed"]}}`, client.Call{Method: "chat.update", Outcome: "image"}},
		"something new":         {edit, 200, `{"ok":false,"error":"from_the_future_<U1>"}`, client.Call{Method: "chat.update", Outcome: client.CallOther}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c, told := watchedClient(t, test.status, test.body)
			_ = test.call(t.Context(), c)
			require.Len(t, *told, 1)
			require.Positive(t, (*told)[0].Took)
			(*told)[0].Took = 0
			require.Equal(t, test.want, (*told)[0])
			require.Contains(t, client.CallOutcomes(), test.want.Outcome)
		})
	}
}

func TestALimitOfSlacksIsSeen(t *testing.T) {
	c, told := watchedClient(t, http.StatusTooManyRequests, "")
	require.Error(t, edit(t.Context(), c))
	require.Error(t, edit(t.Context(), c))
	require.Equal(t, client.CallLimited, (*told)[0].Outcome)
	require.Equal(t, client.Call{Method: "chat.update", Outcome: client.CallHeldBack}, (*told)[1])
}

// Metrics know each method before its first call.
func TestTheListOfMethodsIsWhole(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	require.NoError(t, err)
	installing, err := filepath.Glob("../install/*.go")
	require.NoError(t, err)
	var used []string
	for _, path := range append(paths, installing...) {
		if strings.HasSuffix(path, "_test.go") || path == "call.go" {
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, found := range regexp.MustCompile(`(?:call|do|page|messages|showView)\(ctx, "(\w+\.[\w.]+)"|(?m:^\s*(?:const )?\w+\s+= "((?:[a-z]+\.[\w.]+)|\w+_url)"$)`).FindAllStringSubmatch(string(text), -1) {
			used = append(used, found[1]+found[2])
		}
	}
	slices.Sort(used)
	require.ElementsMatch(t, slices.Compact(used), client.Methods())
}
