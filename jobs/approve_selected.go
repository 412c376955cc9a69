package jobs

import (
	"context"
	"errors"
	"fmt"

	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// Several orders that were approved in one form have a job each, on the lanes of the orders. Each job saves its
// outcome. A job on the window's lane shows them all, so that the last view has the last outcome.

// selectedDoc names the document with the outcome of one approval.
func selectedDoc(window, order string) string { return "selected:" + job.Hash(window+" "+order) }

// approvals maps the end of a change to the state of an approval among others.
var approvals = map[changeEnd]change.Approval{
	changeWaits: change.ApprovalWaits, changeDone: change.ApprovalDone, changeStale: change.ApprovalStale,
	changeRefused: change.ApprovalRefused, changeDenied: change.ApprovalDenied, changeUnknown: change.ApprovalUnknown,
}

// PutSelected puts an approval for each ticked order. A form that is submitted again gets its answer again.
func (j *Change) PutSelected(ctx context.Context, a answers.Asker, submission string, selected []change.Selected) error {
	ids := make([]string, len(selected))
	for i, s := range selected {
		ids[i] = s.Order
	}
	again := false
	for _, s := range selected {
		body := ChangeArgs{Asker: a, Order: s.Order, Revision: s.Revision, Pictures: s.Pictures, Selected: ids}
		added, err := j.putter.Add(ctx, job.Approve, job.Approve+":"+submission+":"+s.Order, "order:"+s.Order, body)
		if err != nil {
			return err
		}
		again = again || !added
	}
	if !again {
		return nil
	}
	return j.forms.Repaint(ctx, selectedLane(a.View), a.View, a.User)
}

func selectedLane(window string) string { return job.Selected + ":" + job.Hash(window) }

// showAmongSelected saves the approval's state and has the window show it.
func (c *changeRun) showAmongSelected(ctx context.Context, how changeEnd) error {
	a, t := c.body.Asker, c.order
	if c.saved.Hidden {
		t = store.Tracked{}
	}
	outcome := change.OutcomeOf(t, approvals[how], c.saved.Problems, c.saved.Denied)
	if err := c.change.store.Documents.PutPersonal(ctx, a.User, selectedDoc(a.View, c.body.Order), outcome, answers.TypedLife); err != nil {
		return err
	}
	id := fmt.Sprintf("%s:%s:%s:%s", job.Selected, job.Hash(a.View), c.body.Order, outcome.Approval)
	return c.change.putter.Put(ctx, job.Selected, id, selectedLane(a.View), selectedArgs{a, c.body.Selected, c.body.Order})
}

// selectedArgs is the body of the job that shows the states of several approvals.
type selectedArgs struct {
	answers.Asker
	Orders []string `json:"orders"`
	About  string   `json:"about"` // order whose approval has changed
}

// showSelected shows the states in the window. If that is closed, the person gets a direct message about a failed
// approval alone: the channel shows the others.
func (j *Change) showSelected(ctx context.Context, _ *queue.Delivery, args selectedArgs) error {
	known := map[string]change.SelectedOutcome{}
	for _, id := range args.Orders {
		var outcome change.SelectedOutcome
		switch err := j.store.Documents.Get(ctx, selectedDoc(args.View, id), &outcome); {
		case err == nil:
			known[id] = outcome
		case !errors.Is(err, store.ErrAbsent):
			return err
		}
	}
	err := j.forms.Paint(ctx, args.Asker, change.SelectedProgress(known, len(args.Orders), args.View))
	if err == nil || job.Outage(err) || ctx.Err() != nil {
		return err
	}
	if news := known[args.About]; news.Approval.Failed() {
		return j.messages.Inform(ctx, args.Asker, kit.Say(news.Text))
	}
	return nil
}

func (j *Change) selectedKind() queue.Declared {
	return queue.Kind[selectedArgs]{
		Name: job.Selected, Work: j.showSelected, NeedsService: true, // the approvals wait for the service, too
		Asked: "showing how several approvals stand", Truth: job.Always("Each order's card says how it stands."),
	}.Declare()
}
