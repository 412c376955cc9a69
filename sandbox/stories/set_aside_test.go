package stories

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/store/queue"
)

// dies puts jobs of maria's that no release can do, one after the other, and waits until all are set aside.
func (w *world) dies(ids ...string) {
	w.t.Helper()
	rdb := asOperator(w.t, w.redis)
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	for n, id := range ids {
		body := `{"order":["nowhere"],"user":"` + w.Workspace.User("maria").ID + `"}`
		_, err := q.Put(w.t.Context(), queue.Job{ID: id, Lane: "order:nowhere", Kind: jobs.ApproveJob, Body: []byte(body)})
		require.NoError(w.t, err)
		w.until("it is set aside", func() bool {
			_, dead, err := q.DeadPage(w.t.Context(), 0, 0)
			return err == nil && dead == n+1
		})
	}
}

func TestAnOperatorPutsBackAndDropsInTheirHome(t *testing.T) {
	t.Parallel()
	w := open(t)
	olga, maria := w.person("olga"), w.person("maria")
	olga.OpenHome()
	olga.SeesHome("Nothing waits for you")
	olga.SeesNoButton("Look at it")
	w.dies("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k")
	oldest := jobs.ShortRef("a")
	olga.OpenHome()
	olga.SeesHome("11 jobs could not be done and are set aside")
	olga.Press("Look at them")
	olga.SeesHome("11 jobs · page 1 of 2")
	olga.Press("Older")
	olga.SeesHome(oldest)
	olga.SeesHome("Approving an order")
	olga.SeesHome("asked for by @Maria")
	olga.SeesHome("cannot unmarshal")
	olga.Press("Drop")
	olga.Press("Keep it")
	olga.SeesHome(oldest)
	olga.Press("Put back")
	olga.SeesHome(oldest + " is put back, and is being done again")
	w.until("it was done again, and died again", func() bool {
		return strings.Contains(strings.SplitAfterN(w.jobs(), "\n", 3)[1], oldest) // the newest
	})
	olga.OpenHome()
	olga.Press("Look at them")
	olga.SeesHome(oldest)
	olga.PressOn(oldest, "Drop")
	olga.Sees("Drop this job?")
	olga.Press("Drop it")
	olga.SeesHome(oldest + " is dropped: it is forgotten for good")
	require.NotContains(t, w.jobs(), oldest)
	olga.Press("Back to the orders")
	olga.SeesHome("Nothing waits for you")

	maria.OpenHome()
	maria.SeesHome("Nothing waits for you")
	maria.SeesNoButton("Look at them")
}

// Two operators on two replicas, each with a double click: a job is decided once, by the first.
func TestTwoOperatorsDecideOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.restart("OPERATORS=" + w.Workspace.User("olga").ID + "," + w.Workspace.User("ben").ID)
	other := w.launch()
	olga, ben := w.person("olga"), w.person("ben")
	w.dies("contested")
	ref := jobs.ShortRef("contested")
	for _, who := range []interface {
		OpenHome()
		Press(string)
		SeesHome(string)
	}{olga, ben} {
		who.OpenHome()
		who.SeesHome("1 job could not be done and is set aside")
		who.Press("Look at it")
		who.SeesHome(ref)
	}
	olga.PressTwice("Drop")
	olga.Press("Drop it")
	olga.SeesHome(ref + " is dropped")
	w.Workspace.SetAppURL(other.url)
	ben.Press("Put back")
	ben.SeesHome(ref + " was decided before you: @Olga dropped it for good")
	require.Contains(t, w.jobs(), "No job is set aside")
	require.Equal(t, 1, strings.Count(w.app.said()+other.said(), "operator decided about a job"))
	other.stop()
}
