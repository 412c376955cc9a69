package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/store"
)

// A service whose search for words is out of order has a list all the same: the looking ends.
func TestASearchForWordsThatIsNeverAnsweredHoldsUpNothing(t *testing.T) {
	for name, was := range map[string]struct {
		answer serviceAnswer
		ends   store.DraftState
	}{"the order is there": {lost, store.DraftPlaced}, "it is not": {never, store.DraftUnknown}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.service.wordsick = true
				r.service.nextCreate = append(r.service.nextCreate, was.answer)
				r.types("new")
				r.submits()
				r.settle(4 * time.Minute)
				require.Equal(r.t, was.ends, r.draft().State)
			})
		})
	}
}
