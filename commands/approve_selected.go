package commands

import (
	"context"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/commands/answer"
	"darkroom/jobs/answers"
)

// openSelect opens a form that approves several of the orders that wait for the person.
func (c *review) openSelect(ctx context.Context, r bot.Request) error {
	return c.windows.Open(ctx, r, "select", change.TitleSelect, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		why, err := c.access.WhyNoMemberNow(ctx, r.User)
		if err := answer.CannotPost("", why, "", err); err != nil {
			return nil, err
		}
		s, err := c.jobs.Home.ToReview(ctx, r)
		return func(thumbs cards.Thumbs) slack.ModalViewRequest { return change.SelectApprovals(s, thumbs, window) }, err
	})
}

// submitSelected puts one job for each selected order, bound to the images that the form showed.
func (c *review) submitSelected(ctx context.Context, r bot.Request) (bot.Reply, error) {
	selected, problems := change.DecodeSelected(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	asker := answers.Asker{Team: r.Team, User: r.User, View: r.View.ExternalID, At: time.Now()}
	if err := c.jobs.Change.PutSelected(ctx, asker, r.ID, selected); err != nil {
		return bot.Reply{}, err
	}
	return c.windows.ReplyNext(ctx, r, change.SelectedProgress(nil, len(selected), r.View.ExternalID))
}
