package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
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

// putForm puts the job of a submitted form, once for each submission, and answers that it is
// on its way, or that it waits for its turn.
func (c *Commands) putForm(ctx context.Context, r bot.Request, s submission) (bot.Reply, error) {
	job, err := job.New(s.kind, s.kind+":"+r.ID, "order:"+s.order, s.body)
	if err != nil {
		return bot.Reply{}, err
	}
	added, waits, err := c.store.PutForm(ctx, c.formOfJob(r, job, s.order))
	if err == nil && !added {
		err = c.jobs.Forms.Repaint(ctx, job.Lane, r.View.ExternalID, r.User)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if !waits || s.unnamed {
		return c.replyNext(ctx, r, s.underWay)
	}
	c.jobs.Waiting.First(ctx, job.ID)
	return c.replyNext(ctx, r, s.late)
}

// formOfJob is a form with its documents: what was typed is forgotten with the job, which keeps it again
// when it gives the form back, and no view that is on its way into its window counts any more.
func (c *Commands) formOfJob(r bot.Request, queued queue.Job, order string) store.Form {
	f := store.Form{Job: queued, Over: answers.RenderNote(r.View.ExternalID), Waits: job.WaitNote(order)}
	if keepsWords(r) {
		f.Words, f.Typed, f.Life, f.User = keptWordsOf(r), answers.Typed{TS: typedAt(r)}, answers.TypedLife, r.User
	}
	return f
}

// putChange is putForm for what changes the order itself.
func (c *Commands) putChange(ctx context.Context, r bot.Request, kind string, body jobs.ChangeArgs, underWay, late slack.ModalViewRequest) (bot.Reply, error) {
	body.Team, body.User, body.View, body.At = r.Team, r.User, r.View.ExternalID, time.Now()
	return c.putForm(ctx, r, submission{kind: kind, order: body.Order, body: body, underWay: underWay, late: late})
}

// A view that is sent as an acknowledgement must fit a frame of Socket Mode (20,480
// bytes); one that is the body of a job should not fill Redis.
const (
	ackView  = 18_000
	bodyView = 64_000
)

// replyView answers a submitted form with the next view of the same window, whose id it has. One that is
// too large for an acknowledgement, or has pictures that Slack may be unable to fetch, is put there a
// moment later, in place of a view that says so. Nobody hears whether Slack takes what acknowledges: it
// has no newer blocks.
func (c *Commands) replyView(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (bot.Reply, error) {
	reply, deferred, err := c.replyOrDefer(ctx, r, v)
	if err == nil && !deferred {
		err = c.supersede(ctx, r)
	}
	return reply, err
}

// replyNext is replyView where no view is on its way into the window any more.
func (c *Commands) replyNext(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (bot.Reply, error) {
	reply, _, err := c.replyOrDefer(ctx, r, v)
	return reply, err
}

// replyOrDefer answers with the view, or with one that says it comes, and tells which.
func (c *Commands) replyOrDefer(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (reply bot.Reply, deferred bool, err error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return bot.Reply{}, false, fmt.Errorf("view %s: %w", v.ExternalID, err)
	}
	if len(raw) < ackView && !cards.HasPictures(v.Blocks.BlockSet) {
		v.Blocks.BlockSet = cards.Older(v.Blocks.BlockSet)
		return bot.Update(v), false, nil
	}
	f := answers.DeferredView{Window: v.ExternalID, Team: r.Team, User: r.User, From: originChannel(r), Render: r.ID, View: raw, At: time.Now()}
	id := job.DeferredView + ":" + job.Hash(f.Window+" "+r.ID)
	if len(raw) > bodyView {
		f.View, f.Note = nil, id
		if err := c.store.PutPersonal(ctx, r.User, f.Note, json.RawMessage(raw), answers.AnswerLife); err != nil {
			return bot.Reply{}, true, err
		}
	}
	if err := c.store.PutTTL(ctx, answers.RenderNote(f.Window), r.ID, answers.AnswerLife); err != nil {
		return bot.Reply{}, true, err
	}
	return bot.Update(cards.Loading(v.Title.Text, f.Window)), true, c.jobs.Putter.Put(ctx, job.DeferredView, id, "view:"+f.Window, f)
}

// supersede makes the views old that are still on their way into the window that was
// acted on. Whoever answers such a window without replyView calls it first. A window
// that shows little was not filled late, and costs nothing here.
func (c *Commands) supersede(ctx context.Context, r bot.Request) error {
	if r.View == nil || r.View.ExternalID == "" {
		return nil
	}
	if r.Shown.Bytes < ackView/2 && !r.Shown.Pictures {
		return nil
	}
	return c.store.PutTTL(ctx, answers.RenderNote(r.View.ExternalID), r.ID, answers.AnswerLife)
}
