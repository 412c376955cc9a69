package bot_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"darkroom/bot"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhoseEventItIs(t *testing.T) {
	const inner = `"type":"event_callback","event_id":"E","event":{"type":"app_mention","user":"U1","channel":"C1","ts":"1.2"}`
	tests := map[string]string{
		`{"team_id":"THOST","authorizations":[{"team_id":"T1"}],` + inner + `}`:                        "T1",
		`{"team_id":"T1","authorizations":[{"team_id":"T1"},{"team_id":"T2"}],` + inner + `}`:          "T1",
		`{"team_id":"T1","authorizations":[],` + inner + `}`:                                           "T1",
		`{"team_id":"T1",` + inner + `}`:                                                               "T1",
		`{"team_id":"T1","authorizations":[{"enterprise_id":"E1","team_id":null}],` + inner + `}`:      "T1",
		`{"team_id":"THOST","authorizations":[{"team_id":"T1"}],"type":"app_rate_limited"}`:            "T1",
		`{"team_id":"THOST","context_team_id":"T1","authorizations":[{"team_id":"T1"}],` + inner + `}`: "T1",
	}
	for payload, want := range tests {
		q, err := bot.DecodeEvent([]byte(payload), at)
		require.NoError(t, err)
		assert.Equal(t, want, q.Team, payload)
	}
}

func TestWhoseInteractionItIs(t *testing.T) {
	const view = `"view":{"id":"V1","hash":"1.a","callback_id":"new","team_id":"TPERSON","app_installed_team_id":"T1"}`
	tests := map[string]string{
		`{"type":"view_submission","user":{"id":"U1","team_id":"TPERSON"},"team":{"id":"TPERSON"},` + view + `}`:  "T1",
		`{"type":"view_closed","user":{"id":"U1","team_id":"TPERSON"},"team":{"id":"TPERSON"},` + view + `}`:      "T1",
		`{"type":"block_actions","user":{"id":"U1","team_id":"TPERSON"},"team":{"id":"T1"},"actions":[{}]}`:       "T1",
		`{"type":"block_actions","user":{"id":"U1","team_id":"TPERSON"},"team":null,"actions":[{}],` + view + `}`: "T1",
		`{"type":"shortcut","callback_id":"new","user":{"id":"U1","team_id":"TPERSON"},"team":{"id":"T1"}}`:       "T1",
		`{"type":"shortcut","callback_id":"new","user":{"id":"U1","team_id":"T1"},"team":null}`:                   "T1",
		// installed for a whole organisation, whose id is no workspace's
		`{"type":"view_submission","user":{"id":"U1","team_id":"T9"},"team":null,"view":{"id":"V1","hash":"1.a","callback_id":"new","team_id":"T1","app_installed_team_id":"E1"}}`:        "T1",
		`{"type":"view_closed","user":{"id":"U1","team_id":"T9"},"team":{"id":"T1"},"view":{"id":"V1","hash":"1.a","callback_id":"new","team_id":"T9","app_installed_team_id":"E1"}}`:     "T1",
		`{"type":"view_submission","user":{"id":"U1","team_id":"T1"},"team":{"id":"E1"},"view":{"id":"V1","hash":"1.a","callback_id":"new","team_id":"E1","app_installed_team_id":"E1"}}`: "T1",
		`{"type":"block_actions","user":{"id":"U1","team_id":"T1"},"team":{"id":"E1"},"actions":[{}]}`:                                                                                    "T1",
		`{"type":"block_actions","user":{"id":"U1","team_id":"E1"},"team":null,"enterprise":{"id":"E1"},"actions":[{}]}`:                                                                  "",
	}
	for payload, want := range tests {
		assert.Equal(t, want, one(t, payload).Team, payload)
	}
}

// Only an event's authorization is certain. A person's workspace may be another organisation's.
func TestWhoseOrganisationIsCertain(t *testing.T) {
	t.Parallel()
	const inner = `"type":"event_callback","event_id":"E","event":{"type":"app_mention","user":"U1","channel":"C1","ts":"1.2"}}`
	for payload, want := range map[string]bool{
		`{"team_id":"T1","authorizations":[{"team_id":"T1","enterprise_id":"E1","is_enterprise_install":true}],` + inner:                           true,
		`{"team_id":"THOST","context_team_id":"T1","authorizations":[{"team_id":null,"enterprise_id":"E1","is_enterprise_install":true}],` + inner: true,
		`{"team_id":"THOST","enterprise_id":"E1","authorizations":[{"team_id":null,"enterprise_id":"E1","is_enterprise_install":true}],` + inner:   false,
		`{"team_id":"T1","context_team_id":"E1","authorizations":[{"team_id":"E1","enterprise_id":"E1","is_enterprise_install":true}],` + inner:    false,
		`{"team_id":"T1","authorizations":[{"team_id":"T1","enterprise_id":"E1","is_enterprise_install":false}],` + inner:                          false,
		`{"team_id":"T1","authorizations":[{"team_id":"T1","enterprise_id":null,"is_enterprise_install":true}],` + inner:                           false,
		`{"team_id":"T1","enterprise_id":"E1",` + inner: false,
	} {
		q, err := bot.DecodeEvent([]byte(payload), at)
		require.NoError(t, err)
		require.Equal(t, want, q.Certain, payload)
		var again bot.Request
		require.NoError(t, json.Unmarshal([]byte(mustJSON(t, q)), &again))
		require.Equal(t, want, again.Certain, payload)
	}
	for _, payload := range []string{
		`{"type":"block_actions","user":{"id":"U1","team_id":"T2"},"team":null,"enterprise":{"id":"E1"},"is_enterprise_install":true,"actions":[{}]}`,
		`{"type":"block_actions","user":{"id":"U1","team_id":"T1"},"team":{"id":"T1"},"enterprise":{"id":"E1"},"is_enterprise_install":true,"actions":[{}]}`,
	} {
		require.False(t, one(t, payload).Certain, payload)
	}
}

// asked is the expected workspace and organisation.
type asked struct {
	team, enterprise string
	orgWide          bool
}

func of(q bot.Request) asked { return asked{q.Team, q.Enterprise, q.OrgWide} }

func TestWhoseOrganisationItIs(t *testing.T) {
	t.Parallel()
	const (
		inner = `"type":"event_callback","event_id":"E","event":{"type":"app_mention","user":"U1","channel":"C1","ts":"1.2"}`
		gone  = `"type":"event_callback","event_id":"E","event":{"type":"app_uninstalled"}`
		view  = `"view":{"id":"V1","hash":"1.a","callback_id":"new","app_installed_team_id":"T1"}`
	)
	for payload, want := range map[string]asked{
		`{"team_id":"T1","enterprise_id":"E1","authorizations":[{"team_id":"T1","enterprise_id":"E1","is_enterprise_install":true}],` + inner + `}`:   {"T1", "E1", true},
		`{"team_id":"T1","enterprise_id":"E1","authorizations":[{"team_id":"T1","enterprise_id":"E1","is_enterprise_install":"true"}],` + inner + `}`: {"T1", "E1", true},
		// a channel of another organisation
		`{"team_id":"THOST","enterprise_id":"EHOST","authorizations":[{"team_id":"T1","enterprise_id":null}],` + inner + `}`:                                                                                  {"T1", "", false},
		`{"team_id":"THOST","enterprise_id":"EHOST","context_team_id":"T1","context_enterprise_id":"E1","authorizations":[{"team_id":null,"enterprise_id":"E1","is_enterprise_install":true}],` + inner + `}`: {"T1", "E1", true},
		`{"team_id":"T1","enterprise_id":"E1","context_team_id":"E1","authorizations":[{"team_id":null,"enterprise_id":"E1","is_enterprise_install":true}],` + inner + `}`:                                    {"T1", "E1", true},
		`{"team_id":"T1","enterprise_id":"E1",` + inner + `}`: {"T1", "E1", false},
		`{"team_id":"T1",` + inner + `}`:                      {"T1", "", false},
		// news of an installation
		`{"team_id":"T1",` + gone + `}`:                       {"T1", "", false},
		`{"team_id":"E1","enterprise_id":"E1",` + gone + `}`:  {"", "E1", false},
		`{"team_id":"E1",` + gone + `}`:                       {"", "E1", false},
		`{"team_id":null,"enterprise_id":"E1",` + gone + `}`:  {"", "E1", false},
		`{"team_id":"T1","authorizations":[],` + gone + `}`:   {"T1", "", false},
		`{"team_id":"T1","authorizations":null,` + gone + `}`: {"T1", "", false},
	} {
		q, err := bot.DecodeEvent([]byte(payload), at)
		require.NoError(t, err)
		assert.Equal(t, want, of(q), payload)
		var again bot.Request // as the body of a job
		require.NoError(t, json.Unmarshal([]byte(mustJSON(t, q)), &again))
		assert.Equal(t, want, of(again), payload)
	}
	for payload, want := range map[string]asked{
		`{"type":"block_actions","user":{"id":"U1","team_id":"T2"},"team":{"id":"T1"},"enterprise":{"id":"E1"},"is_enterprise_install":true,"actions":[{}]}`:     {"T1", "E1", true},
		`{"type":"shortcut","callback_id":"new","user":{"id":"U1","team_id":"T1"},"team":null,"enterprise":{"id":"E1"},"is_enterprise_install":"true"}`:          {"T1", "E1", true},
		`{"type":"shortcut","callback_id":"new","user":{"id":"U1"},"team":{"id":"T1"},"enterprise":null,"is_enterprise_install":false}`:                          {"T1", "", false},
		`{"type":"view_submission","user":{"id":"U1"},"team":{"id":"T1"},"enterprise":{"id":"E1"},` + view + `}`:                                                 {"T1", "E1", false},
		`{"type":"view_submission","user":{"id":"U1"},"team":null,"enterprise":{"id":"E1"},"is_enterprise_install":true,` + view + `}`:                           {"T1", "E1", true},
		`{"type":"view_submission","user":{"id":"U1"},"team":{"id":"TPERSON"},"enterprise":{"id":"EPERSON"},` + view + `}`:                                       {"T1", "", false},
		`{"type":"view_submission","user":{"id":"U1"},"team":{"id":"T1"},"enterprise":null,"view":{"id":"V1","callback_id":"new","app_installed_team_id":"E1"}}`: {"T1", "E1", false},
		`{"type":"block_actions","user":{"id":"U1","team_id":"T1"},"team":{"id":"E1"},"enterprise":null,"actions":[{}]}`:                                         {"T1", "E1", false},
		`{"type":"view_closed","user":{"id":"U1"},"team":{"id":"TPERSON"},"enterprise":{"id":"EPERSON"},` + view + `}`:                                           {"T1", "", false},
	} {
		assert.Equal(t, want, of(one(t, payload)), payload)
	}
	for payload, want := range map[string]asked{
		`{"command":"/order","user_id":"U1","team_id":"T1","enterprise_id":"E1","is_enterprise_install":"true"}`: {"T1", "E1", true},
		`{"command":"/order","user_id":"U1","team_id":"T1","enterprise_id":"E1","is_enterprise_install":true}`:   {"T1", "E1", true},
		`{"command":"/order","user_id":"U1","team_id":"T1","is_enterprise_install":"false"}`:                     {"T1", "", false},
		`{"command":"/order","user_id":"U1","team_id":"E1","enterprise_id":"E1"}`:                                {"", "E1", false},
	} {
		q, err := bot.DecodeCommand([]byte(payload), at)
		require.NoError(t, err)
		assert.Equal(t, want, of(q), payload)
	}
}

func TestACommandsFormSaysWhoseItIs(t *testing.T) {
	t.Parallel()
	var got bot.Request
	r := bot.NewRouter(nil)
	r.Command("/order", func(_ context.Context, q bot.Request) (bot.Reply, error) { got = q; return bot.Ack(), nil })
	w := httptest.NewRecorder()
	body := url.Values{"command": {"/order"}, "user_id": {"U1"}, "team_id": {"T1"}, "enterprise_id": {"E1"}, "is_enterprise_install": {"true"}, "trigger_id": {"1.2"}}.Encode()
	bot.NewServer(secret, r, nil).ServeHTTP(w, signed(t, bot.PathCommands, form, body))
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, asked{"T1", "E1", true}, of(got))
}

func TestNewsOfAnInstallationReachTheRouter(t *testing.T) {
	t.Parallel()
	for kind, row := range map[string]struct {
		event string
		who   asked
		teams []string
		bots  []string
	}{
		"app_uninstalled":     {`{"type":"app_uninstalled"}`, asked{"T1", "", false}, nil, nil},
		"tokens_revoked":      {`{"type":"tokens_revoked","tokens":{"oauth":["U1"],"bot":["UBOT"]}}`, asked{"T1", "", false}, nil, []string{"UBOT"}},
		"team_access_granted": {`{"type":"team_access_granted","team_ids":["T1","T2"]}`, asked{"", "E1", false}, []string{"T1", "T2"}, nil},
		"team_access_revoked": {`{"type":"team_access_revoked","team_ids":["T2",7]}`, asked{"", "E1", false}, []string{"T2"}, nil},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var got bot.Request
			r := bot.NewRouter(nil)
			r.Event(kind, func(_ context.Context, q bot.Request) (bot.Reply, error) { got = q; return bot.Ack(), nil })
			outer := `"team_id":"T1"`
			if row.who.team == "" {
				outer = `"team_id":"E1","enterprise_id":"E1"`
			}
			w := httptest.NewRecorder()
			bot.NewServer(secret, r, nil).ServeHTTP(w, signed(t, bot.PathEvents, "application/json", `{"type":"event_callback","event_id":"Ev1","event_time":1700000000,`+outer+`,"event":`+row.event+`}`))
			require.Equal(t, http.StatusOK, w.Code)
			require.Equal(t, kind, got.Name)
			require.Equal(t, row.who, of(got))
			require.Equal(t, int64(1700000000), got.At.Unix())
			require.Equal(t, row.teams, got.Teams())
			require.Equal(t, row.bots, got.RevokedBots())
		})
	}
	odd := bot.Request{Event: json.RawMessage(`{"team_ids":{"a":1},"tokens":["x"]}`)}
	require.Empty(t, odd.Teams())
	require.Empty(t, odd.RevokedBots())
	require.Empty(t, bot.Request{}.Teams())
}
