package commands

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// submission is a submitted form that becomes a job of its order.
type submission struct {
	kind, order    string
	body           any
	unnamed        bool                   // the order was chosen in the form: nothing is told of it before it is seen who may
	underWay, late slack.ModalViewRequest // what is acknowledged; late when it waits behind another
}

// submissions turns submitted forms into jobs of their orders.
type submissions struct {
	documents *store.DocumentStore
	orders    *store.Orders
	jobs      *jobs.Jobs
	windows   *answer.Windows
}

// putForm puts the job of a submitted form, once for each submission, and answers that it is
// on its way, or that it waits for its turn.
func (c *submissions) putForm(ctx context.Context, r bot.Request, s submission) (bot.Reply, error) {
	job, err := job.New(s.kind, s.kind+":"+r.ID, "order:"+s.order, s.body)
	if err != nil {
		return bot.Reply{}, err
	}
	added, waits, err := c.documents.PutForm(ctx, c.formOfJob(r, job, s.order))
	if err == nil && !added {
		err = c.jobs.Forms.Repaint(ctx, job.Lane, r.View.ExternalID, r.User)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if !waits || s.unnamed {
		return c.windows.ReplyNext(ctx, r, s.underWay)
	}
	c.jobs.Waiting.First(ctx, job.ID)
	return c.windows.ReplyNext(ctx, r, s.late)
}

// formOfJob is a form with its documents: what was typed is forgotten with the job, which keeps it again
// when it gives the form back, and no view that is on its way into its window counts any more.
func (c *submissions) formOfJob(r bot.Request, queued queue.Job, order string) store.Form {
	f := store.Form{Job: queued, Over: answers.RenderDoc(r.View.ExternalID), Waits: job.WaitDoc(order)}
	if savesForm(r) {
		f.Words, f.Typed, f.Life, f.User = noteOfForm(r), answers.Typed{TS: typedAt(r)}, answers.TypedLife, r.User
	}
	return f
}

// putChange is putForm for what changes the order itself.
func (c *submissions) putChange(ctx context.Context, r bot.Request, kind string, body jobs.ChangeArgs, underWay, late slack.ModalViewRequest) (bot.Reply, error) {
	body.Team, body.User, body.View, body.At = r.Team, r.User, r.View.ExternalID, time.Now()
	return c.putForm(ctx, r, submission{kind: kind, order: body.Order, body: body, underWay: underWay, late: late})
}

// boundTo is the order that a form names itself; nothing when it was chosen in it, or is not
// known: then the job finds out whether this person may know of it.
func (c *submissions) boundTo(ctx context.Context, view slack.View) (store.Tracked, error) {
	order := kit.DecodeMeta(view.PrivateMetadata).Order
	if order == "" {
		return store.Tracked{}, nil
	}
	t, err := c.orders.Order(ctx, order)
	if errors.Is(err, store.ErrNotTracked) {
		return store.Tracked{}, nil
	}
	return t, err
}
