package commands

import (
	"context"
	"strings"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
)

var moveHelp = cards.HelpRow{
	Verb: "move", Usage: "move ID #channel", Does: "moves an order to another channel",
	Example: "move K7Q2XM #weddings",
	More:    []string{"Operators may move any order, others only their own. If a channel has approvers, only they and operators move its orders. You must be a member of both channels."},
}

// move moves an order to another channel. It moves at once if the line names a channel and nothing needs confirming,
// else it opens a form. A channel's name without its id, which only Slack can look up, also opens the form.
func (c *tracking) move(ctx context.Context, r bot.Request) error {
	p, late, err := c.finder.OrderInTime(ctx, r, "move")
	switch {
	case err != nil:
		return err
	case late:
		return c.answers.Send(ctx, r, cards.NeedsID("move", moveHelp.Example))
	case p.ID == "":
		return c.finder.AskWhich(ctx, r, "move", p)
	}
	first, _ := resolve.FirstWord(p.Text)
	if to, named := cards.ChannelName(first); named {
		return c.moveLine(ctx, r, p, to)
	}
	to := "" // Slack generates the ids of blocks without one
	if named, asked := strings.CutPrefix(r.BlockID, cards.MoveBlock); asked {
		to = named
	}
	return c.openMove(ctx, r, p, to)
}

// moveLine moves an order to the channel that the line names.
func (c *tracking) moveLine(ctx context.Context, r bot.Request, p resolve.Ref, to string) error {
	t, err := c.finder.Visible(ctx, r, p)
	if err != nil {
		return err
	}
	problem, widens, err := c.jobs.Move.MayMoveTo(ctx, r, t, to)
	switch {
	case err != nil:
		return err
	case problem != "":
		return c.answers.Send(ctx, r, kit.Say(":warning: "+problem))
	case widens != "":
		return c.answers.Send(ctx, r, cards.MoveAsk(t, to, widens))
	}
	t, err = c.store.Changes.Move(ctx, t.ID, to, r.User)
	if err != nil {
		return err
	}
	c.jobs.Home.Changed(ctx, r.Team, r.User)
	return c.answers.Send(ctx, r, kit.AsMessage(cards.Moved(t, "")))
}

// openMove opens the form, with the channel filled in unless to is "".
func (c *tracking) openMove(ctx context.Context, r bot.Request, p resolve.Ref, to string) error {
	return c.windows.Open(ctx, r, "move", cards.TitleMove, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		t, err := c.finder.Visible(ctx, r, p)
		if err != nil {
			return nil, err
		}
		form := cards.MoveTo{Channel: to, From: r.Channel}
		denied, err := c.jobs.Move.WhyNotMove(ctx, r, t)
		if err == nil && denied == "" && to != "" {
			form.Problem, form.Widens, err = c.jobs.Move.MayMoveTo(ctx, r, t, to)
		}
		if err != nil {
			return nil, err
		}
		if denied != "" {
			return nil, answer.Refuse(denied, "")
		}
		return answer.Static(cards.Move(t, form, window)), nil
	})
}

// submitMove handles the submitted form, on the ack path. A job asks Slack what is still to be checked.
func (c *tracking) submitMove(ctx context.Context, r bot.Request) (bot.Reply, error) {
	form, problems := cards.DecodeMove(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	body := jobs.MoveArgs{Asker: answers.AskerOf(r), Order: form.Order, To: form.Channel, Confirmed: form.Confirmed}
	body.Channel = kit.DecodeMeta(r.View.PrivateMetadata).Channel
	return c.submissions.putForm(ctx, r, submission{
		kind: job.Move, order: form.Order, body: body,
		running: cards.Moving(r.View.ExternalID), waiting: cards.MoveLater(r.View.ExternalID),
	})
}
