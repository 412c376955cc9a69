package stories

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	encoding "encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

const hour = time.Hour

// fileKey is what the app signs the addresses of photos with.
const fileKey = "the-key-of-the-stories-is-long-enough"

// forge makes the token of a file's address as somebody would who knows how it is made:
// version, expiry, file, and the signature over them.
func forge(t *testing.T, key, file string, life time.Duration) string {
	t.Helper()
	expiry := time.Now().Add(life).Unix()
	payload := append(encoding.BigEndian.AppendUint64([]byte{1}, uint64(expiry)), file...)
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte("darkroom file token\x00"))
	mac.Write(payload)
	return base64.RawURLEncoding.EncodeToString(append(payload, mac.Sum(nil)...))
}

// fileIn is the file that a token names.
func fileIn(t *testing.T, token string) string {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	return string(raw[9 : len(raw)-sha256.Size])
}

// shared posts the file and says its id in Slack.
func (w *world) shared(who *person.T, file workspace.Upload) string {
	w.t.Helper()
	who.CloseModal()
	who.Share("just look", file)
	return who.Card("just look").Files[0].ID
}

// restart stops the app as an operator does and starts it with another environment.
func (w *world) restart(environ ...string) {
	w.t.Helper()
	w.app.stop()
	w.environ = append(w.environ, environ...)
	w.startApp()
}
