package doctor

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/review"
)

func TestDoctorWarnsOfACertificateThatEnds(t *testing.T) {
	t.Parallel()
	now := time.Now()
	require.Equal(t, Green, certificate(now.Add(60*24*time.Hour), now).State)
	require.Equal(t, Yellow, certificate(now.Add(3*24*time.Hour), now).State)
}

func TestDoctorTellsWhetherAProxyPassesThePageOn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status int
		body   string
		state  State
		says   string
	}{
		"ours":        {http.StatusNotFound, "<h1>" + review.Over + "</h1>", Green, "leads to the app"},
		"not passed":  {http.StatusNotFound, "not found", Yellow, "Something else answers the page behind Compare (HTTP status 404)"},
		"another one": {http.StatusOK, review.Over, Yellow, "(HTTP status 200)"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			require.Equal(t, review.Path+"forged", r.URL.Path)
			w.WriteHeader(tt.status)
			_, _ = w.Write([]byte(tt.body))
		}))
		defer server.Close()
		c := newVisitor(server.URL, 5*time.Second).compare(t.Context())
		require.Equal(t, tt.state, c.State, name)
		require.Contains(t, c.Message, tt.says, name)
		server.Close()
		require.Contains(t, newVisitor(server.URL, 5*time.Second).compare(t.Context()).Message, "does not answer", name)
	}
}
