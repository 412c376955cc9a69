package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/store"
)

// The keyword search of the service fails, but its list works: the search ends.
func TestASearchForWordsThatIsNeverAnsweredHoldsUpNothing(t *testing.T) {
	for name, was := range map[string]struct {
		answer commandstest.ServiceAnswer
		ends   store.DraftState
	}{"the order is there": {commandstest.Lost, store.DraftPlaced}, "it is not": {commandstest.Never, store.DraftUnknown}} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Service.SearchDown = true
				r.Service.NextCreate = append(r.Service.NextCreate, was.answer)
				r.Types("new")
				r.Submits()
				r.Settle(4 * time.Minute)
				require.Equal(r.T, was.ends, r.Draft().State)
			})
		})
	}
}
