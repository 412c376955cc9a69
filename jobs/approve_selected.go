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

// Several orders that were approved in one form are a job each, on the lanes of their orders. How each
// stands is kept, and the window shows all of them: it is painted on a lane of its own, so that the
// last one painted has seen the last one kept.

// selectedNote is where it is kept how one of them stands.
func selectedNote(window, order string) string { return "selected:" + job.Hash(window+" "+order) }

// approvals are the ends of a change, of an approval among others.
var approvals = map[changeEnd]change.Approval{
	changeWaits: change.ApprovalWaits, changeDone: change.ApprovalDone, changeStale: change.ApprovalStale,
	changeRefused: change.ApprovalRefused, changeDenied: change.ApprovalDenied, changeUnsettled: change.ApprovalUnknown,
}

// PutSelected puts an approval for each order that was ticked. The form that comes again is painted once more.
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

// sayAmongSelected keeps how the approval stands, and has the window show it.
func (c *changeRun) sayAmongSelected(ctx context.Context, how changeEnd) error {
	a, t := c.body.Asker, c.order
	if c.kept.Hidden {
		t = store.Tracked{}
	}
	outcome := change.OutcomeOf(t, approvals[how], c.kept.Problems, c.kept.Denied)
	if err := c.change.store.Documents.PutPersonal(ctx, a.User, selectedNote(a.View, c.body.Order), outcome, answers.TypedLife); err != nil {
		return err
	}
	id := fmt.Sprintf("%s:%s:%s:%s", job.Selected, job.Hash(a.View), c.body.Order, outcome.Approval)
	return c.change.putter.Put(ctx, job.Selected, id, selectedLane(a.View), selectedArgs{a, c.body.Selected, c.body.Order})
}

// selectedArgs is the body of the job that shows how several approvals stand.
type selectedArgs struct {
	answers.Asker
	Orders []string `json:"orders"`
	About  string   `json:"about"` // the one of which there is news
}

// showSelected shows it in the window. Who has closed that is told alone of what they have to look at; what is
// approved they see in its channel.
func (j *Change) showSelected(ctx context.Context, _ *queue.Delivery, args selectedArgs) error {
	known := map[string]change.SelectedOutcome{}
	for _, id := range args.Orders {
		var outcome change.SelectedOutcome
		switch err := j.store.Documents.Get(ctx, selectedNote(args.View, id), &outcome); {
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
		return j.messages.Inform(ctx, args.Asker, kit.Say(news.Says))
	}
	return nil
}

func (j *Change) selectedKind() queue.Declared {
	return queue.Kind[selectedArgs]{
		Name: job.Selected, Work: j.showSelected, NeedsService: true, // there is nothing to show while the approvals wait
		Asked: "showing how several approvals stand", Truth: job.Always("Each order's card says how it stands."),
	}.Declare()
}
