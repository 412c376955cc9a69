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
	"darkroom/cmd/darkroom/doctor"
	"darkroom/notifier/poll"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// inboundOf are ears over a Redis of their own, and what the log has heard from them.
func inboundOf(t *testing.T) (*inbound, *store.Store, *bytes.Buffer) {
	t.Helper()
	rdb, err := conn.Connect("redis://" + storetest.Embed(t).Addr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	var lines bytes.Buffer
	s := store.New(rdb, queue.New(rdb, queue.Options{}))
	return newInbound(s.Inbounds, slog.New(slog.NewTextHandler(&lines, nil)), true), s, &lines
}

func TestWhatSlackSendsIsMarkedSeldomAndHoldsNobodyUp(t *testing.T) {
	e, s, _ := inboundOf(t)
	for range 1000 { // nobody writes meanwhile
		e.answered(bot.Answered{Kind: bot.KindCommand})
		e.answered(bot.Answered{Kind: bot.KindSubmit})
		e.answered(bot.Answered{Kind: bot.KindEvent})
	}
	require.Len(t, e.notes, 3, "one of each kind")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- e.run(ctx) }()
	heard := map[store.Inbound]time.Time{}
	require.Eventually(t, func() (all bool) {
		var err error
		heard, err = s.Inbounds.LastInbound(t.Context())
		return err == nil && len(heard) == 4
	}, 10*time.Second, 5*time.Millisecond)
	for _, what := range []store.Inbound{store.InboundStart, store.InboundCommand, store.InboundInteraction, store.InboundEvent} {
		require.WithinDuration(t, time.Now(), heard[what], time.Minute)
	}
	stop()
	require.NoError(t, <-ended)
}

func TestAMarkIsDueAgainAfterTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newInbound(nil, slog.New(slog.DiscardHandler), true)
		e.note(store.InboundEvent)
		<-time.After(doctor.InboundEvery - time.Second)
		e.note(store.InboundEvent)
		require.Len(t, e.notes, 1)
		<-time.After(2 * time.Second)
		e.note(store.InboundEvent)
		require.Len(t, e.notes, 2)
		e.verification(false)
		e.verification(true)
		e.verification(true)
		require.Len(t, e.notes, 5, "a verification always counts")
		e.polled(poll.Cost{})
		<-time.After(pollsEvery - time.Second)
		e.polled(poll.Cost{})
		<-time.After(2 * time.Second)
		e.polled(poll.Cost{Blind: true})
		require.Len(t, e.notes, 6)
		e.polled(poll.Cost{})
		require.Len(t, e.notes, 7, "a poll does after a minute")
	})
}

func TestTheLogSaysOnceWhatNeverCame(t *testing.T) {
	e, s, lines := inboundOf(t)
	require.NoError(t, s.Inbounds.NoteInbound(t.Context(), store.InboundStart, time.Now()))
	require.NoError(t, s.Inbounds.NoteInbound(t.Context(), store.InboundCommand, time.Now()))
	e.logMissing(t.Context(), time.Now().Add(-doctor.NoEventsAfter))
	require.Equal(t, 1, strings.Count(lines.String(), "no event ever did"))
	require.Contains(t, lines.String(), "Event Subscriptions")

	lines.Reset()
	require.NoError(t, s.Inbounds.NoteInbound(t.Context(), store.InboundVerified, time.Now().Add(-time.Hour)))
	e.logMissing(t.Context(), time.Now().Add(-doctor.NoEventsAfter))
	require.Equal(t, 1, strings.Count(lines.String(), "no event ever did"), "although the request URL is verified")

	lines.Reset()
	require.NoError(t, s.Inbounds.NoteInbound(t.Context(), store.InboundEvent, time.Now()))
	e.logMissing(t.Context(), time.Now().Add(-doctor.NoEventsAfter))
	require.Empty(t, lines.String())
}
