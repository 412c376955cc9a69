package main

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/notifier/poll"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// earsOf are ears over a Redis of their own, and what the log has heard from them.
func earsOf(t *testing.T) (*ears, *store.Store, *bytes.Buffer) {
	t.Helper()
	rdb, err := store.Connect("redis://" + storetest.Embed(t).Addr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	var lines bytes.Buffer
	s := store.New(rdb, queue.New(rdb, queue.Options{}))
	return newEars(s, slog.New(slog.NewTextHandler(&lines, nil)), true), s, &lines
}

func TestWhatSlackSendsIsMarkedSeldomAndHoldsNobodyUp(t *testing.T) {
	e, s, _ := earsOf(t)
	for range 1000 { // nobody writes meanwhile
		e.answered(bot.Answered{Kind: bot.KindCommand})
		e.answered(bot.Answered{Kind: bot.KindSubmit})
		e.answered(bot.Answered{Kind: bot.KindEvent})
	}
	require.Len(t, e.marks, 3, "one of each kind")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- e.run(ctx) }()
	heard := map[store.Heard]time.Time{}
	require.Eventually(t, func() (all bool) {
		var err error
		heard, err = s.LastHeard(t.Context())
		return err == nil && len(heard) == 4
	}, 10*time.Second, 5*time.Millisecond)
	for _, what := range []store.Heard{store.HeardStart, store.HeardCommand, store.HeardInteraction, store.HeardEvent} {
		require.WithinDuration(t, time.Now(), heard[what], time.Minute)
	}
	stop()
	require.NoError(t, <-ended)
}

func TestAMarkIsDueAgainAfterTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEars(nil, slog.New(slog.DiscardHandler), true)
		e.hear(store.HeardEvent)
		<-time.After(heardEvery - time.Second)
		e.hear(store.HeardEvent)
		require.Len(t, e.marks, 1)
		<-time.After(2 * time.Second)
		e.hear(store.HeardEvent)
		require.Len(t, e.marks, 2)
		e.verification(false)
		e.verification(true)
		e.verification(true)
		require.Len(t, e.marks, 5, "a verification always counts")
		e.polled(poll.Cost{})
		<-time.After(pollsEvery - time.Second)
		e.polled(poll.Cost{})
		<-time.After(2 * time.Second)
		e.polled(poll.Cost{Blind: true})
		require.Len(t, e.marks, 6)
		e.polled(poll.Cost{})
		require.Len(t, e.marks, 7, "a poll does after a minute")
	})
}

func TestTheLogSaysOnceWhatNeverCame(t *testing.T) {
	e, s, lines := earsOf(t)
	require.NoError(t, s.NoteHeard(t.Context(), store.HeardStart, time.Now()))
	require.NoError(t, s.NoteHeard(t.Context(), store.HeardCommand, time.Now()))
	e.sayMissing(t.Context(), time.Now().Add(-deafAfter))
	require.Equal(t, 1, strings.Count(lines.String(), "no event ever did"))
	require.Contains(t, lines.String(), "Event Subscriptions")

	lines.Reset()
	require.NoError(t, s.NoteHeard(t.Context(), store.HeardVerified, time.Now().Add(-time.Hour)))
	e.sayMissing(t.Context(), time.Now().Add(-deafAfter))
	require.Equal(t, 1, strings.Count(lines.String(), "no event ever did"), "although the request URL is verified")

	lines.Reset()
	require.NoError(t, s.NoteHeard(t.Context(), store.HeardEvent, time.Now()))
	e.sayMissing(t.Context(), time.Now().Add(-deafAfter))
	require.Empty(t, lines.String())
}
