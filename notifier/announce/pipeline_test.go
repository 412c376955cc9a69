package announce

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// behind is a store whose channel lags behind for a number of reads.
type behind struct {
	announcements
	orders
	reads, lags int
	generation  int
}

func (b *behind) Pending(context.Context, string) (store.Tracked, []order.Event, error) {
	b.reads++
	t := store.Tracked{ID: "o1", Known: order.Known{Version: 2}, CardTS: "1.1", CardVersion: 2, Owner: store.Owner{Generation: b.generation}}
	if b.reads <= b.lags {
		t.CardVersion = 1
	}
	return t, nil, nil
}

func (b *behind) Events(context.Context, string) ([]order.Event, error) { return nil, nil }

// step is a stage that records its runs and returns these errors in turn.
type step struct {
	name string
	ran  *[]string
	ends []error
}

func (s *step) exec(context.Context, *announcement) (err error) {
	*s.ran = append(*s.ran, s.name)
	if len(s.ends) > 0 {
		err, s.ends = s.ends[0], s.ends[1:]
	}
	return err
}

func TestThePipelineRunsItsStages(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, tc := range map[string]struct {
		record behind
		first  []error
		ran    []string
		fails  error
	}{
		"not at all for a current channel":       {record: behind{generation: 1}},
		"in order, until the channel is current": {record: behind{generation: 1, lags: 2}, ran: []string{"first", "second", "first", "second"}},
		"anew after a stage changed the order":   {record: behind{generation: 1, lags: 2}, first: []error{errReread}, ran: []string{"first", "first", "second"}},
		"up to the one that fails":               {record: behind{generation: 1, lags: 2}, first: []error{nil, broken}, ran: []string{"first", "second", "first"}, fails: broken},
		"not for an order that moved":            {record: behind{generation: 2, lags: 1}, fails: store.ErrMoved},
		"ten times at most":                      {record: behind{generation: 1, lags: 99}, first: []error{errReread, errReread, errReread, errReread, errReread, errReread, errReread, errReread, errReread, errReread}, ran: []string{"first", "first", "first", "first", "first", "first", "first", "first", "first", "first"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var ran []string
			record := &record{&tc.record, &tc.record}
			p := &pipeline{
				stages: []stage{&step{name: "first", ran: &ran, ends: tc.first}, &step{name: "second", ran: &ran}},
				settle: &settleStage{record: record}, record: record,
			}
			require.ErrorIs(t, p.work(t.Context(), &announcement{id: "o1", generation: 1}), tc.fails)
			require.Equal(t, tc.ran, ran)
		})
	}
}
