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

// An acknowledging view must fit a frame of Socket Mode (20,480 bytes). A view in a job should not fill Redis.
const (
	ackView  = 18_000
	bodyView = 64_000
)

// Reply answers a submitted form with the next view of its window. A view that is too large for an acknowledgement, or
// has pictures that Slack may fail to fetch, follows in a job; the acknowledgement says that it is loading. Slack
// reports no error for an acknowledgement, so its view has no newer blocks.
func (c *Windows) Reply(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (bot.Reply, error) {
	reply, deferred, err := c.replyOrDefer(ctx, r, v)
	if err == nil && !deferred {
		err = c.Supersede(ctx, r)
	}
	return reply, err
}

// ReplyNext is [Windows.Reply] for a window without pending views.
func (c *Windows) ReplyNext(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (bot.Reply, error) {
	reply, _, err := c.replyOrDefer(ctx, r, v)
	return reply, err
}

// replyOrDefer answers with the view, or with a loading view while a job brings it; deferred reports which.
func (c *Windows) replyOrDefer(ctx context.Context, r bot.Request, v slack.ModalViewRequest) (reply bot.Reply, deferred bool, err error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return bot.Reply{}, false, fmt.Errorf("view %s: %w", v.ExternalID, err)
	}
	if len(raw) < ackView && !kit.HasPictures(v.Blocks.BlockSet) {
		v.Blocks.BlockSet = kit.Older(v.Blocks.BlockSet)
		return bot.Update(v), false, nil
	}
	f := answers.DeferredView{Window: v.ExternalID, Team: r.Team, User: r.User, From: OriginChannel(r), Render: answers.RenderOf(r), View: raw, At: time.Now()}
	id := job.DeferredView + ":" + job.Hash(f.Window+" "+r.ID)
	if len(raw) > bodyView {
		f.View, f.Note = nil, id
		if err := c.documents.PutPersonal(ctx, r.User, f.Note, json.RawMessage(raw), answers.AnswerLife); err != nil {
			return bot.Reply{}, true, err
		}
	}
	if err := c.documents.PutTTL(ctx, answers.RenderDoc(f.Window), f.Render, answers.AnswerLife); err != nil {
		return bot.Reply{}, true, err
	}
	return bot.Update(kit.Loading(v.Title.Text, f.Window)), true, c.jobs.Putter.Put(ctx, job.DeferredView, id, "view:"+f.Window, f)
}

// Supersede voids the pending views of the window that was acted on, if their requests are older. Call it before an update
// other than [Windows.Reply], or after one that only replaces the view that was acted on. A window with little content has no pending view, and costs no call.
func (c *Windows) Supersede(ctx context.Context, r bot.Request) error {
	if r.View == nil || r.View.ExternalID == "" {
		return nil
	}
	if r.ViewSummary.Bytes < ackView/2 && !r.ViewSummary.Pictures {
		return nil
	}
	return c.documents.PutTTL(ctx, answers.RenderDoc(r.View.ExternalID), answers.RenderOf(r), answers.AnswerLife)
}
