package jobs_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/jobs/answers"
)

// Another replica acknowledged the form, and its clock is minutes ahead of ours: the answer
// is not minutes late.
func TestAClockThatIsAheadDelaysNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		require.NoError(t, answers.Asker{At: began.Add(5 * time.Minute)}.Painted(t.Context()))
		require.LessOrEqual(t, time.Since(began), jobs.AckTime)
	})
}
