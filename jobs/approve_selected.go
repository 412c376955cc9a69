package jobs

import (
	"context"
	"errors"
	"fmt"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// Several orders that were approved in one form are a job each, on the lanes of their orders. How each
// stands is kept, and the window shows all of them: it is painted on a lane of its own, so that the
// last one painted has seen the last one kept.

// Waiting are the newest of the orders that wait for the person's review, of those that their Home shows.
func (j *Jobs) Waiting(ctx context.Context, r bot.Request) (cards.Selection, error) {
	s := cards.Selection{Courses: map[string]cards.Course{}}
	state, _, err := j.HomeState(ctx, r.Team, r.User)
	if err != nil {
		return s, err
	}
	found, err := j.homeOrders(ctx, j.access.Viewer(r), cards.HomeFilter{All: state.Filter.All, Section: cards.HomeReview})
	if err != nil {
		return s, err
	}
	s.Total = len(found)
	fresh := j.access.FreshViewer(r)
	for _, o := range found[:min(len(found), cards.MostSelected)] {
		t, err := j.store.Order(ctx, o.id)
		if errors.Is(err, store.ErrNotTracked) || err == nil && (t.Untracked || !cards.Selectable(t)) {
			continue
		}
		if err != nil {
			return s, err
		}
		sees, err := fresh.Sees(ctx, t)
		if err != nil {
			return s, err
		}
		if !sees {
			continue
		}
		why, err := j.NotApprover(ctx, r.User, t)
		if err != nil {
			return s, err
		}
		if why == "" {
			s.Orders, s.Courses[t.ID] = append(s.Orders, t), j.Course(ctx, t.ID)
		}
	}
	return s, nil
}

// selectedNote is where it is kept how one of them stands.
func selectedNote(window, order string) string { return "selected:" + Hash(window+" "+order) }

// approvals are the ends of a change, of an approval among others.
var approvals = map[changeEnd]cards.Approval{
	changeWaits: cards.ApprovalWaits, changeDone: cards.ApprovalDone, changeStale: cards.ApprovalStale,
	changeRefused: cards.ApprovalRefused, changeDenied: cards.ApprovalDenied, changeUnsettled: cards.ApprovalUnknown,
}

// PutSelected puts an approval for each order that was ticked. The form that comes again is painted once more.
func (j *Jobs) PutSelected(ctx context.Context, a Asker, submission string, selected []cards.Selected) error {
	ids := make([]string, len(selected))
	for i, s := range selected {
		ids[i] = s.Order
	}
	again := false
	for _, s := range selected {
		body := ChangeArgs{Asker: a, Order: s.Order, Revision: s.Revision, Pictures: s.Pictures, Selected: ids}
		added, err := j.add(ctx, ApproveJob, ApproveJob+":"+submission+":"+s.Order, "order:"+s.Order, body)
		if err != nil {
			return err
		}
		again = again || !added
	}
	if !again {
		return nil
	}
	return j.Repaint(ctx, selectedLane(a.View), a.View, a.User)
}

func selectedLane(window string) string { return SelectedJob + ":" + Hash(window) }

// sayAmongSelected keeps how the approval stands, and has the window show it.
func (c *changeRun) sayAmongSelected(ctx context.Context, how changeEnd) error {
	a, t := c.body.Asker, c.order
	if c.kept.Hidden {
		t = store.Tracked{}
	}
	outcome := cards.OutcomeOf(t, approvals[how], c.kept.Problems, c.kept.Denied)
	if err := c.store.PutPersonal(ctx, a.User, selectedNote(a.View, c.body.Order), outcome, TypedLife); err != nil {
		return err
	}
	id := fmt.Sprintf("%s:%s:%s:%s", SelectedJob, Hash(a.View), c.body.Order, outcome.Approval)
	return c.Put(ctx, SelectedJob, id, selectedLane(a.View), selectedArgs{a, c.body.Selected, c.body.Order})
}

// selectedArgs is the body of the job that shows how several approvals stand.
type selectedArgs struct {
	Asker
	Orders []string `json:"orders"`
	About  string   `json:"about"` // the one of which there is news
}

// showSelected shows it in the window. Who has closed that is told alone of what they have to look at; what is
// approved they see in its channel.
func (j *Jobs) showSelected(ctx context.Context, _ *queue.Delivery, args selectedArgs) error {
	known := map[string]cards.SelectedOutcome{}
	for _, id := range args.Orders {
		var outcome cards.SelectedOutcome
		switch err := j.store.Get(ctx, selectedNote(args.View, id), &outcome); {
		case err == nil:
			known[id] = outcome
		case !errors.Is(err, store.ErrAbsent):
			return err
		}
	}
	err := j.paintAnswer(ctx, args.Asker, cards.SelectedStand(known, len(args.Orders), args.View))
	if err == nil || outage(err) || ctx.Err() != nil {
		return err
	}
	if news := known[args.About]; news.Approval.Failed() {
		return j.inform(ctx, args.Asker, cards.Say(news.Says))
	}
	return nil
}

func (j *Jobs) selectedKind() queue.Declared {
	return queue.Kind[selectedArgs]{
		Name: SelectedJob, Work: j.showSelected, NeedsService: true, // there is nothing to show while the approvals wait
		Asked: "showing how several approvals stand", Truth: Always("Each order's card says how it stands."),
	}.Declare()
}
