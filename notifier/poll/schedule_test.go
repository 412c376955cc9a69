package poll_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
)

func TestScheduleTellsTheNextTick(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for spec, want := range map[string]time.Duration{
		"@every 1s":      time.Second,
		"@every 30s":     30 * time.Second,
		"*/5 * * * *":    5 * time.Minute,
		"*/10 * * * * *": 10 * time.Second,
		"@hourly":        time.Hour,
	} {
		schedule, err := poll.ParseSchedule(spec)
		require.NoError(t, err, spec)
		require.Equal(t, want, schedule.Next(at).Sub(at), spec)
	}
}

func TestScheduleRefusesWhatItCannotKeep(t *testing.T) {
	t.Parallel()
	for _, spec := range []string{"", "often", "@every", "@every soon", "@every 500ms", "@every -5s", "61 * * * *"} {
		_, err := poll.ParseSchedule(spec)
		require.Error(t, err, spec)
		_, err = poll.New(poll.Config{Schedule: spec})
		require.Error(t, err, spec)
	}
}
