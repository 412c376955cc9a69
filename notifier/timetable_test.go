package notifier

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Whatever the schedule, each workspace is polled once for each of its ticks, behind it and at the same distance; so
// is whoever asks again from any time between.
func TestEachWorkspaceHasItsPlaceBehindEachTick(t *testing.T) {
	t.Parallel()
	friday := time.Date(2026, 5, 8, 17, 50, 0, 0, time.UTC)
	for spec, test := range map[string]struct {
		spread time.Duration
		ticks  []time.Duration // of a place at 0, behind friday
	}{
		"@every 30s":       {30 * time.Second, []time.Duration{30 * time.Second, time.Minute}},
		"@every 1h":        {time.Hour, []time.Duration{10 * time.Minute, 70 * time.Minute}},
		"*/15 * * * * *":   {15 * time.Second, []time.Duration{15 * time.Second, 30 * time.Second}},
		"* 8-17 * * 1-5":   {time.Minute, []time.Duration{time.Minute, 2 * time.Minute}},
		"0 9 * * *":        {5 * time.Minute, []time.Duration{15*time.Hour + 10*time.Minute, 39*time.Hour + 10*time.Minute}},
		"0 0 30 2 *":       {5 * time.Minute, nil},
		"55,56 17 * * 1-5": {time.Minute, []time.Duration{5 * time.Minute, 6 * time.Minute, 3*24*time.Hour + 5*time.Minute}},
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			table, err := newTimetable(spec)
			require.NoError(t, err)
			require.Equal(t, test.spread, table.spread)
			for i := range 50 {
				place := table.place(fmt.Sprint("T", i))
				require.GreaterOrEqual(t, place, time.Duration(0))
				require.Less(t, place, table.spread)
				at := friday.Add(place)
				for _, tick := range test.ticks {
					next := table.next(place, at)
					require.Equal(t, friday.Add(tick+place), next)
					require.Equal(t, next, table.next(place, at.Add(next.Sub(at)/2)))
					at = next
				}
			}
			if test.ticks == nil {
				require.Greater(t, table.next(0, friday).Sub(friday), 100*365*24*time.Hour, "never")
			}
		})
	}
}

// A service that does not answer is asked after one period, two, four, up to some minutes, and never less often than
// the schedule says.
func TestAServiceThatDoesNotAnswerIsAskedLessOften(t *testing.T) {
	t.Parallel()
	for spec, want := range map[string][]time.Duration{
		"@every 30s": {30 * time.Second, time.Minute, 2 * time.Minute, 3 * time.Minute, 3 * time.Minute},
		"@every 10m": {10 * time.Minute, 10 * time.Minute, 10 * time.Minute},
	} {
		table, err := newTimetable(spec)
		require.NoError(t, err)
		a, e := newAgenda(table, 4), &entry{place: table.place("T1"), index: -1}
		e.due = table.next(e.place, time.Now())
		for i, gap := range want {
			began := e.due
			a.reschedule(e, ended{began: began, at: began.Add(time.Second), unheard: true})
			require.Equal(t, gap, e.due.Sub(began), "%s, after %d", spec, i+1)
			require.Equal(t, slow, e.class())
		}
		began := e.due
		a.reschedule(e, ended{began: began, at: began.Add(time.Second)})
		require.Equal(t, want[0], e.due.Sub(began), "as before when it answers")
		require.Equal(t, quick, e.class())
		began = e.due
		a.reschedule(e, ended{began: began, at: began.Add(time.Second), unheard: true})
		require.Equal(t, want[0], e.due.Sub(began), "and what was before is forgotten")
	}
}
