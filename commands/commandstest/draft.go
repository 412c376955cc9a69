package commandstest

import (
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs/job"
	"darkroom/store"
)

// Draft returns the draft of the first form.
func (r *Rig) Draft() store.Draft {
	r.T.Helper()
	d, err := r.Store.Drafts.Draft(r.T.Context(), job.Hash("trigger1"))
	require.NoError(r.T, err)
	return d
}

// GivenUp places an order that never arrives, until the app gives up. It returns the draft's id.
func (r *Rig) GivenUp() string {
	r.T.Helper()
	r.Service.NextCreate = append(r.Service.NextCreate, Never)
	r.Types("new")
	r.Submits()
	r.Settle(4 * time.Minute)
	require.Equal(r.T, store.DraftUnknown, r.Draft().State)
	return r.Draft().ID
}
