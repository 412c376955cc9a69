package storetest

import (
	"context"
	"net"
	"testing"
	"testing/synctest"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Bubble runs f in a bubble of [synctest], with an embedded Redis whose clock is the bubble's.
func Bubble(t *testing.T, f func(t *testing.T, rdb redis.UniversalClient)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		m := NewInProcess()
		rdb := redis.NewClient(&redis.Options{
			Dialer:          func(context.Context, string, string) (net.Conn, error) { return m.Dial() },
			PoolSize:        256, // nobody waits for a connection: go-redis shares the timers of that among bubbles, which ends the process
			DialerRetries:   1,   // a dial that fails as the story ends is not tried again: its wait would outlive the bubble
			DisableIdentity: true, MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		})
		defer func() { _ = rdb.Close(); m.Close() }()
		f(t, rdb)
	})
}
