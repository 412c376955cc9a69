package bot_test

import (
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
	}
	for payload, want := range tests {
		assert.Equal(t, want, one(t, payload).Team, payload)
	}
}
