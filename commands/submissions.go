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
	kind, order      string
	body             any
	orderChosen      bool                   // the order was chosen in the form: the reply tells nothing about it before access is checked
	running, waiting slack.ModalViewRequest // the acknowledging views; waiting if another job of the order runs first
}

// submissions turns submitted forms into jobs of their orders.
type submissions struct {
	documents *store.DocumentStore
	orders    *store.Orders
	jobs      *jobs.Jobs
	windows   *answer.Windows
}

// putForm puts the job of a submission once, and answers that it runs, or that it waits for another job.
func (c *submissions) putForm(ctx context.Context, r bot.Request, s submission) (bot.Reply, error) {
	job, err := job.New(s.kind, s.kind+":"+r.ID, "order:"+s.order, s.body)
	if err != nil {
		return bot.Reply{}, err
	}
	added, waits, err := c.documents.PutForm(ctx, formOfJob(r, job, s.order))
	if err == nil && !added {
		err = c.jobs.Forms.Repaint(ctx, job.Lane, r.View.ExternalID, r.User)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if !waits || s.orderChosen {
		return c.windows.ReplyNext(ctx, r, s.running)
	}
	c.jobs.Waiting.First(ctx, job.ID)
	return c.windows.ReplyNext(ctx, r, s.waiting)
}

// formOfJob returns the job with its form's documents. The saved content is deleted with the put, and pending views of
// the window become void. If the job returns the form, it saves the content again.
func formOfJob(r bot.Request, queued queue.Job, order string) store.Form {
	f := store.Form{Job: queued, Over: answers.RenderDoc(r.View.ExternalID), Waits: job.WaitDoc(order)}
	if savesForm(r) {
		f.Words, f.Typed, f.Life, f.User = docOfForm(r), answers.Typed{TS: answers.RequestTS(r)}, answers.TypedLife, r.User
	}
	return f
}

// putChange is putForm for a change of the order itself.
func (c *submissions) putChange(ctx context.Context, r bot.Request, kind string, body jobs.ChangeArgs, running, waiting slack.ModalViewRequest) (bot.Reply, error) {
	body.Team, body.User, body.View, body.At = r.Team, r.User, r.View.ExternalID, time.Now()
	return c.putForm(ctx, r, submission{kind: kind, order: body.Order, body: body, running: running, waiting: waiting})
}

// boundTo returns the order that the form is bound to. The zero order means that it was chosen in the form or is
// unknown: the job checks access then.
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
