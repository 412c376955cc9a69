package stories

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func TestUnsignedAndStaleRequestsDoNothing(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	for _, trick := range []workspace.Tampering{workspace.Unsigned, workspace.Stale, workspace.WrongSecret} {
		w.Workspace.Tamper(trick, 1)
		maria.Type("/order new")
		deliveries := w.Workspace.Deliveries()
		require.Equal(t, http.StatusUnauthorized, deliveries[len(deliveries)-1].Status)
		maria.SeesNoModal()
	}
}

func TestMalformedAndOversizedRequestsAreRefused(t *testing.T) {
	t.Parallel()
	w := open(t)
	tests := map[string]struct {
		body string
		want int
	}{
		"no form at all":     {"payload=%7Bnot+json", http.StatusBadRequest},
		"nothing":            {"", http.StatusBadRequest},
		"more than Slack's":  {"payload=" + strings.Repeat("a", 2<<20), http.StatusRequestEntityTooLarge},
		"an unknown payload": {"payload=%7B%22type%22%3A%22from_the_future%22%7D", http.StatusOK},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := w.Workspace.Replay(w.signed(test.body))
			require.Equal(t, test.want, got.Status)
		})
	}
}

// signed is a delivery of our own making, signed as Slack signs.
func (w *world) signed(body string) workspace.Delivery {
	stamp := timestamp()
	return workspace.Delivery{
		Kind: "block_actions", URL: w.app.url + "/slack/interactions", Body: []byte(body),
		Header: http.Header{
			"Content-Type":              {"application/x-www-form-urlencoded"},
			"X-Slack-Request-Timestamp": {stamp},
			"X-Slack-Signature":         {workspace.Sign(signingSecret(w), stamp, []byte(body))},
		},
	}
}

// timestamp is now, as Slack signs it.
func timestamp() string { return strconv.FormatInt(time.Now().Unix(), 10) }

// signingSecret is what the workspace signs with.
func signingSecret(w *world) string {
	for _, line := range w.Environ() {
		if secret, ok := strings.CutPrefix(line, "SLACK_SIGNING_SECRET="); ok {
			return secret
		}
	}
	return ""
}
