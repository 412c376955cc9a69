package bot_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/bot"

	"github.com/stretchr/testify/require"
)

// eventOf returns an event of the given size.
func eventOf(size int) string {
	before, after := strings.TrimSuffix(eventBody, "}")+`,"pad":"`, `"}`
	return before + strings.Repeat("a", size-len(before)-len(after)) + after
}

func TestABodyOfAnySizeIsReadToItsEnd(t *testing.T) {
	for size, status := range map[int]int{
		16<<10 - 1: http.StatusOK, 16 << 10: http.StatusOK, 16<<10 + 1: http.StatusOK, 128 << 10: http.StatusOK, 128<<10 + 1: http.StatusOK,
		1 << 20: http.StatusOK, 1<<20 + 1: http.StatusRequestEntityTooLarge,
	} {
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			router, got := recorder(t)
			body := eventOf(size)
			require.Equal(t, size, len(body))
			require.Equal(t, status, serve(bot.NewServer(secret, router, nil), signed(t, bot.PathEvents, "application/json", body)).Code)
			require.Equal(t, status == http.StatusOK, len(got()) == 1)
		})
	}
}

// counted counts the bytes that are read from a body.
type counted struct {
	io.Reader
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

// Of a request without a plausible signature, only a small body is read.
func TestLittleIsReadOfWhatHasNoSignature(t *testing.T) {
	for name, header := range map[string]string{"none": "", "a short one": "v0=00", "another kind": strings.Repeat("0", 67)} {
		body := &counted{Reader: strings.NewReader(strings.Repeat("a", 1<<20))}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, bot.PathEvents, body)
		r.Header.Set("X-Slack-Request-Timestamp", strconv.FormatInt(time.Now().Unix(), 10))
		r.Header.Set("X-Slack-Signature", header)
		require.Equal(t, http.StatusUnauthorized, serve(bot.NewServer(secret, bot.NewRouter(nil), nil), r).Code, name)
		require.LessOrEqual(t, body.n, 16<<10, name)
	}
}

// Forged requests that stall in a large body block other large ones for a while, but never a click or a
// command.
func TestLargeBodiesTakeNoMoreThanTheirRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := make(chan int, 100)
		router, got := recorder(t)
		server := bot.NewServer(secret, router, nil)
		server.ObserveRefused(func(status int) { refused <- status })
		var senders []*io.PipeWriter
		for range 31 { // each has a room of a megabyte
			from, to := io.Pipe()
			senders = append(senders, to)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, bot.PathEvents, from)
			r.Header.Set("X-Slack-Request-Timestamp", strconv.FormatInt(time.Now().Unix(), 10))
			r.Header.Set("X-Slack-Signature", "v0="+strings.Repeat("0", 64))
			go serve(server, r)
			_, err := to.Write(make([]byte, 200<<10))
			require.NoError(t, err)
		}
		synctest.Wait()
		large := func() *httptest.ResponseRecorder {
			return serve(server, signed(t, bot.PathEvents, "application/json", eventOf(200<<10)))
		}
		began := time.Now()
		w := large()
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.Equal(t, "1", w.Header().Get("Retry-After"))
		require.Empty(t, w.Header().Get("X-Slack-No-Retry"), "Slack is to send it again")
		require.Equal(t, time.Second, time.Since(began))
		require.Equal(t, http.StatusServiceUnavailable, <-refused)
		require.Equal(t, http.StatusOK, serve(server, signed(t, bot.PathEvents, "application/json", eventBody)).Code, "a small one")
		for _, to := range senders {
			require.NoError(t, to.Close())
		}
		synctest.Wait()
		require.Equal(t, http.StatusOK, large().Code)
		require.Len(t, got(), 2)
	})
}
