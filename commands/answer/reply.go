package answer

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
)

// A view that is sent as an acknowledgement must fit a frame of Socket Mode (20,480
// bytes); one that is the body of a job should not fill Redis.
const (
	ackView  = 18_000
	bodyView = 64_000
)

// Reply answers a submitted form with the next view of the same window, whose id it has. One that is
// too large for an acknowledgement, or has pictures that Slack may be unable to fetch, is put there a
// moment later, in place of a view that says so. Nobody hears whether Slack takes what acknowledges: it
// has no newer blocks.
func (c *Windows) Reply(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (bot.Reply, error) {
	reply, deferred, err := c.replyOrDefer(ctx, r, v)
	if err == nil && !deferred {
		err = c.Supersede(ctx, r)
	}
	return reply, err
}

// ReplyNext is [Windows.Reply] where no view is on its way into the window any more.
func (c *Windows) ReplyNext(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (bot.Reply, error) {
	reply, _, err := c.replyOrDefer(ctx, r, v)
	return reply, err
}

// replyOrDefer answers with the view, or with one that says it comes, and tells which.
func (c *Windows) replyOrDefer(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (reply bot.Reply, deferred bool, err error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return bot.Reply{}, false, fmt.Errorf("view %s: %w", v.ExternalID, err)
	}
	if len(raw) < ackView && !kit.HasPictures(v.Blocks.BlockSet) {
		v.Blocks.BlockSet = kit.Older(v.Blocks.BlockSet)
		return bot.Update(v), false, nil
	}
	f := answers.DeferredView{Window: v.ExternalID, Team: r.Team, User: r.User, From: OriginChannel(r), Render: r.ID, View: raw, At: time.Now()}
	id := job.DeferredView + ":" + job.Hash(f.Window+" "+r.ID)
	if len(raw) > bodyView {
		f.View, f.Note = nil, id
		if err := c.documents.PutPersonal(ctx, r.User, f.Note, json.RawMessage(raw), answers.AnswerLife); err != nil {
			return bot.Reply{}, true, err
		}
	}
	if err := c.documents.PutTTL(ctx, answers.RenderNote(f.Window), r.ID, answers.AnswerLife); err != nil {
		return bot.Reply{}, true, err
	}
	return bot.Update(kit.Loading(v.Title.Text, f.Window)), true, c.jobs.Putter.Put(ctx, job.DeferredView, id, "view:"+f.Window, f)
}

// Supersede makes the views old that are still on their way into the window that was
// acted on. Whoever answers such a window without replyView calls it first. A window
// that shows little was not filled late, and costs nothing here.
func (c *Windows) Supersede(ctx context.Context, r bot.Request) error {
	if r.View == nil || r.View.ExternalID == "" {
		return nil
	}
	if r.ViewSummary.Bytes < ackView/2 && !r.ViewSummary.Pictures {
		return nil
	}
	return c.documents.PutTTL(ctx, answers.RenderNote(r.View.ExternalID), r.ID, answers.AnswerLife)
}
