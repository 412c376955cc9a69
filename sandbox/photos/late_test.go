package photos_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestAPreviewMayComeLateOrNeverAndForSomeAlone(t *testing.T) {
	c := start(t, photos.Options{})
	thumb := c.reviewed(gallery(t) + "/beach.jpg").Images[0].Thumb
	asks := func(agent string) error {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, thumb, http.NoBody)
		require.NoError(t, err)
		request.Header.Set("User-Agent", agent)
		answer, err := http.DefaultClient.Do(request)
		if err == nil {
			require.Equal(t, http.StatusOK, answer.StatusCode)
			require.NoError(t, answer.Body.Close())
		}
		return err
	}
	for name, test := range map[string]struct {
		wait         time.Duration
		agent        string
		slack, other bool // are served
	}{
		"at once":               {0, "", true, true},
		"never":                 {photos.Never, "", false, false},
		"a moment later":        {20 * time.Millisecond, "", true, true},
		"to Slack never":        {photos.Never, "Slack-ImgProxy", false, true},
		"the names of others":   {0, "Slack-ImgProxy", true, true},
		"to others, and not it": {photos.Never, "curl", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.service.DelayPreviews("beach.jpg", test.wait, test.agent)
			c.service.DelayPreviews("house.jpg", photos.Never, "")
			require.Equal(t, test.slack, asks("Slack-ImgProxy (+https://api.slack.com/robots)") == nil)
			require.Equal(t, test.other, asks("curl/8") == nil)
		})
	}
}
