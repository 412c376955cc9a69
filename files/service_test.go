package files_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/files"
)

func TestWhichAddressesAServiceMayHave(t *testing.T) {
	for address, want := range map[string]error{
		"https://api.example.com/v1":         nil,
		"https://api.example.com:8443/v1/":   nil,
		"https://1.1.1.1/v1":                 nil,
		"https://[2606:4700::1111]/v1":       nil,
		"":                                   files.ErrNotAddress,
		"api.example.com/v1":                 files.ErrNotAddress,
		"ftp://api.example.com":              files.ErrNotAddress,
		"https://":                           files.ErrNotAddress,
		"https://[::1":                       files.ErrNotAddress,
		"https://me:word@api.example.com":    files.ErrHasMore,
		"https://api.example.com/v1?x=1":     files.ErrHasMore,
		"https://api.example.com/v1?":        files.ErrHasMore,
		"https://api.example.com/v1#top":     files.ErrHasMore,
		"http://api.example.com/v1":          files.ErrNotHTTPS,
		"https://localhost/v1":               files.ErrPrivateHost,
		"https://LOCALHOST.:8080/v1":         files.ErrPrivateHost,
		"https://redis/v1":                   files.ErrPrivateHost,
		"https://metadata.google.internal/":  files.ErrPrivateHost,
		"https://printer.local/":             files.ErrPrivateHost,
		"https://10.0.0.1/":                  files.ErrPrivateHost,
		"https://127.1/":                     files.ErrPrivateHost,
		"https://0x7f.0.0.1/":                files.ErrPrivateHost,
		"https://169.254.169.254/":           files.ErrPrivateHost,
		"https://[::1]/":                     files.ErrPrivateHost,
		"https://[::ffff:10.0.0.1]/":         files.ErrPrivateHost,
		"https://[fd00::1]/":                 files.ErrPrivateHost,
		"https://2130706433/":                files.ErrPrivateHost,
		strings.Repeat("https://a.b/", 1000): nil, // how long it may be is for the form to say
	} {
		require.ErrorIs(t, files.CheckService(address, false), want, address)
	}
	for address, want := range map[string]error{
		"http://127.0.0.1:8080/api": nil, "http://localhost/": nil, "https://api.example.com": nil,
		"127.0.0.1:8080": files.ErrNotAddress, "http://me@localhost/": files.ErrHasMore,
	} {
		require.ErrorIs(t, files.CheckService(address, true), want, address)
	}
}

// A public name may lead to a private address: the connection is refused.
func TestATransportConnectsToPublicAddressesOnly(t *testing.T) {
	heard := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard++ }))
	defer server.Close()
	ask := func(allowPrivate bool) error {
		transport := files.Transport(allowPrivate)
		defer transport.CloseIdleConnections()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		require.NoError(t, err)
		resp, err := transport.RoundTrip(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		return err
	}
	require.ErrorIs(t, ask(false), files.ErrRefused)
	require.Zero(t, heard)
	require.NoError(t, ask(true))
	require.Equal(t, 1, heard)
}
