package notifier_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/store"
)

// A post may be under way for the ten seconds of its call and some more: only then is it looked for.
func TestAPostMayBeUnderWayForFifteenSeconds(t *testing.T) {
	t.Parallel()
	require.Equal(t, 15*time.Second, notifier.NewAnnouncer(notifier.AnnouncerConfig{}).OutcomeAfter)
}

// counted counts how often reminders are looked after.
type counted struct {
	notifier.RemindStore
	looks int
}

// Reminding implements [notifier.RemindStore].
func (c *counted) Reminding(context.Context) (map[store.Place]store.Settings, error) {
	c.looks++
	return nil, nil
}

func TestRemindersAreLookedAfterThreeTimesAMinute(t *testing.T) {
	t.Parallel()
	for every, looks := range map[time.Duration]int{0: 3, time.Second: 60} {
		synctest.Test(t, func(t *testing.T) {
			c := &counted{}
			p := newPoller(t, notifier.PollerConfig{Service: studioOf(0), Store: &notebook{}, Reminders: notifier.NewReminders(c, every)})
			for range 60 {
				require.NoError(t, p.Tick(t.Context()))
				after(time.Second)
			}
			require.Equal(t, looks, c.looks)
		})
	}
}
