package bot_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/bot"

	"github.com/stretchr/testify/assert"
)

// Slack signs with a new secret at once, while requests signed with the old one are still in flight.
func TestEachOfSeveralSecretsIsBelieved(t *testing.T) {
	const newer = "a-newer-secret"
	for secrets, believed := range map[string]map[string]bool{
		secret:                   {secret: true, newer: false},
		secret + ", " + newer:    {secret: true, newer: true, secret + ", " + newer: false, "": false},
		newer + ",":              {secret: false, newer: true, "": false},
		", ,":                    {"": false, ",": false, " ": false},
		newer + "\n,\t" + secret: {secret: true, newer: true},
	} {
		server := bot.NewServer(secrets, bot.NewRouter(nil), nil)
		for with, want := range believed {
			r := signed(t, bot.PathCommands, form, commandBody)
			set(r.Header, with, time.Now())
			assert.Equal(t, want, serve(server, r).Code != http.StatusUnauthorized, "%q with %q", secrets, with)
		}
	}
}

func TestAClockThatIsOffIsNamedInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log logged
		server := bot.NewServer(secret, bot.NewRouter(nil), slog.New(slog.NewTextHandler(&log, nil)))
		arrive := func(secret string, off time.Duration) {
			t.Helper()
			r := signed(t, bot.PathCommands, form, commandBody)
			set(r.Header, secret, time.Now().Add(off))
			assert.Equal(t, http.StatusUnauthorized, serve(server, r).Code)
		}
		named := func() int { return strings.Count(log.String(), "clock") }
		for range 10 {
			arrive("somebody else's", 6*time.Minute)
		}
		assert.Zero(t, named(), "anybody may say what time it is")
		arrive(secret, 6*time.Minute)
		assert.Equal(t, 1, named(), "though it is the eleventh that is refused")
		assert.Contains(t, log.String(), time.Now().Add(6*time.Minute).UTC().Format(time.RFC3339), "Slack's")
		assert.Contains(t, log.String(), time.Now().UTC().Format(time.RFC3339), "ours")
		for range 100 {
			arrive(secret, -6*time.Minute)
		}
		assert.Equal(t, 1, named())
		<-time.After(time.Hour)
		arrive(secret, -time.Hour)
		assert.Equal(t, 2, named(), "it is said again after an hour")
	})
}
