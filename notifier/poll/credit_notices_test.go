package poll_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	cardsops "darkroom/cards/ops"
	"darkroom/notifier/poll"
	"darkroom/store/queue"
)

// jobRecorder is a queue that records its jobs.
type jobRecorder struct{ jobs []queue.Job }

func (q *jobRecorder) Put(_ context.Context, job queue.Job) (bool, error) {
	q.jobs = append(q.jobs, job)
	return true, nil
}

// do does the jobs, as any replica would.
func (q *jobRecorder) do(t *testing.T, n *poll.CreditNotices) {
	t.Helper()
	for _, job := range q.jobs {
		require.True(t, json.Valid(job.Body))
		require.NoError(t, n.Kind().Work(t.Context(), &queue.Delivery{Job: job}))
	}
	q.jobs = nil
}

func TestABalanceThatSomebodyWasShownIsToldOnce(t *testing.T) {
	t.Parallel()
	notes, ops, jobs := following(serviceOf(1), 0), &opsChannel{}, &jobRecorder{}
	replica := func() *poll.CreditNotices {
		return poll.NewCreditNotices(poll.CreditNoticesConfig{Below: decimal.NewFromInt(50), Store: notes, Queue: jobs, Ops: ops.hear})
	}
	one, two := replica(), replica()
	shows := func(left string) {
		for _, n := range []*poll.CreditNotices{one, two} {
			n.Observe(t.Context(), decimal.RequireFromString(left))
		}
	}
	shows("120")
	require.Empty(t, jobs.jobs, "no news")
	shows("49")
	require.NotEmpty(t, jobs.jobs)
	jobs.do(t, one)
	shows("12")
	shows("54") // around the line is no news
	shows("40")
	require.Empty(t, jobs.jobs)
	one, two = replica(), replica() // after a restart, too
	shows("40")
	require.Empty(t, jobs.jobs)
	shows("55")
	jobs.do(t, two)
	fifty, well := decimal.NewFromInt(50), decimal.NewFromInt(55)
	require.Equal(t, []string{cardsops.CreditsLowHere(decimal.NewFromInt(49), fifty, well), cardsops.CreditsWellHere(well)}, ops.said)

	off := poll.NewCreditNotices(poll.CreditNoticesConfig{Store: notes, Queue: jobs, Ops: ops.hear})
	off.Observe(t.Context(), decimal.NewFromInt(1))
	require.Empty(t, jobs.jobs)
}
