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
	Verb: "move", Usage: "move ID #channel", Does: "hands an order over to another channel",
	Example: "move K7Q2XM #weddings",
	More:    []string{"Operators may move any order, everybody else those they asked for. Out of a channel that names approvers, only they and operators move orders. You must be a member of both channels."},
}

// move hands an order to another channel: at once when the line names one that nobody
// has to be asked about, else with a form. A name without its id, which only Slack could
// look up, opens the form, too.
func (c *tracking) move(ctx context.Context, r bot.Request) error {
	p, late, err := c.finder.Soon(ctx, r, "move")
	switch {
	case err != nil:
		return err
	case late:
		return c.answers.Send(ctx, r, cards.NeedsID("move", moveHelp.Example))
	case p.ID == "":
		return c.finder.AskWhich(ctx, r, "move", p)
	}
	first, _ := resolve.FirstWord(p.Words)
	if to, named := cards.ChannelName(first); named {
		return c.moveLine(ctx, r, p, to)
	}
	to := "" // Slack makes up ids for blocks that have none of ours
	if named, asked := strings.CutPrefix(r.BlockID, cards.MoveBlock); asked {
		to = named
	}
	return c.openMove(ctx, r, p, to)
}

// moveLine moves an order as a line says.
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

// openMove opens the form, with the channel filled in if there is one.
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
			return nil, answer.Sorry(denied, "")
		}
		return answer.Plain(cards.Move(t, form, window)), nil
	})
}

// submitMove takes the submitted form, on the ack path: what Slack must be asked for is
// done by a job.
func (c *tracking) submitMove(ctx context.Context, r bot.Request) (bot.Reply, error) {
	form, problems := cards.DecodeMove(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	body := jobs.MoveArgs{Asker: answers.AskerOf(r), Order: form.Order, To: form.Channel, Confirmed: form.Confirmed}
	body.Channel = kit.DecodeMeta(r.View.PrivateMetadata).Channel
	return c.submissions.putForm(ctx, r, submission{
		kind: job.Move, order: form.Order, body: body,
		underWay: cards.Moving(r.View.ExternalID), late: cards.MoveLater(r.View.ExternalID),
	})
}
