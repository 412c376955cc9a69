package doctor

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/cli"
)

// Each bound ends the examination when the others would not.
func TestADoctorWhomNobodyAnswersEndsInTime(t *testing.T) {
	t.Parallel()
	hole := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(hole.Close)
	environ := append([]string{"SLACK_BOT_TOKEN=xoxb-s3cret", "UPSTREAM_API_KEY=s3cret", "UPSTREAM_API_SECRET=s3cret"}, "REDIS_URL=redis://"+strings.TrimPrefix(hole.URL, "http://"), "SLACK_API_URL="+hole.URL+"/api/", "UPSTREAM_URL="+hole.URL,
		"SLACK_APP_TOKEN=xapp-s3cret", "PUBLIC_URL="+hole.URL, "FILE_SIGNING_KEY=s3cret-key-of-file-addresses-0123456789", "DARKROOM_ALLOW_PRIVATE_URLS=true")
	const little = 200 * time.Millisecond
	for name, wait := range map[string]patience{
		"all":  {all: little, redis: time.Hour, slack: time.Hour, public: time.Hour, service: time.Hour},
		"each": {all: time.Hour, redis: little, slack: little, public: little, service: little},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
			defer cancel()
			var out bytes.Buffer
			require.ErrorIs(t, Run(ctx, &cli.World{Environ: environ, Stdout: &out, Stderr: &out}, "1.0.0", false, wait), ErrUnwell)
			require.NoError(t, ctx.Err())
			for _, says := range []string{"Redis does not answer", "Slack does not answer", "The service does not answer", hole.URL + " does not answer"} {
				require.Contains(t, strings.Join(strings.Fields(out.String()), " "), says)
			}
			require.NotContains(t, out.String(), "s3cret")
		})
	}
	require.LessOrEqual(t, max(usual.redis, 2*usual.slack+usual.redis, usual.public, usual.service), usual.all, "the help promises a minute")
	require.Less(t, usual.all, time.Minute)
}
