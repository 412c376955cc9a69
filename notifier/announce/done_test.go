package announce_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// A review names who ticked requested changes as done, and calls nobody. The review that was decided keeps the count.
func TestAReviewNamesWhoTickedWhatIsDone(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	image := order.EditedImage{ID: "i1", Name: "1.jpg", UploadedAt: at}
	r.happens(t, order.StatusReviewing, 0, image)
	require.NoError(t, r.Changes.Intend(t.Context(), orderID, order.Intent{Verb: order.VerbRevise, Actor: "U0MARIA", PerImage: map[string][]string{"i1": {"Softer", "Darker"}}, Job: "j1", At: time.Now()}))
	r.happens(t, order.StatusRevising, 1, image)
	image.Revision, image.UploadedAt = 1, at.Add(time.Hour)
	r.happens(t, order.StatusReviewing, 1, image)
	r.announce(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r1")), "0 of 2 requested changes are ticked done.")

	_, _, err := r.Verdicts.Judge(t.Context(), orderID, "U0BEN", []order.Tick{{Edit: image.Edit(), Done: order.SentenceKey("Darker"), Good: true}})
	require.NoError(t, err)
	r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 1, Refresh: true}, shoots)
	r.announce(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r1")), "1 of 2 requested changes are ticked done, by Ben.")

	count := &order.DoneCount{Done: 1, Of: 2, By: []string{"U0BEN"}}
	require.NoError(t, r.Changes.Intend(t.Context(), orderID, order.Intent{Verb: order.VerbApprove, Actor: "U0MARIA", Revision: 1, Job: "j2", At: time.Now(), Ticked: count}))
	r.happens(t, order.StatusClosed, 1)
	r.announce(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r1")), "1 of 2 requested changes are ticked done, by Ben.")
}
