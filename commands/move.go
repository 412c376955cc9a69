package commands

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

var moveHelp = cards.HelpRow{
	Verb: "move", Usage: "move ID #channel", Does: "hands an order over to another channel",
	Example: "move K7Q2XM #weddings",
	More:    []string{"Operators may move any order, everybody else those they asked for. You must be a member of both channels."},
}

// move hands an order to another channel: at once when the line names one that nobody
// has to be asked about, else with a form. A name without its id, which only Slack could
// look up, opens the form, too.
func (c *Commands) move(ctx context.Context, r bot.Request) error {
	p, late, err := c.pointSoon(ctx, r, "move")
	switch {
	case err != nil:
		return err
	case late:
		return c.tell(ctx, r, cards.NeedsID("move", moveHelp.Example))
	case p.id == "":
		return c.askWhich(ctx, r, "move", p)
	}
	first, _ := firstWord(p.words)
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
func (c *Commands) moveLine(ctx context.Context, r bot.Request, p pointed, to string) error {
	t, err := c.visible(ctx, r, p.id)
	if errors.Is(err, errNotFound) {
		return c.tell(ctx, r, cards.NotFoundWith(p.id, bot.AsTyped(p.words)))
	}
	if err != nil {
		return err
	}
	v, err := c.mayMoveTo(ctx, r, t, to)
	switch {
	case err != nil:
		return err
	case v.problem != "":
		return c.tell(ctx, r, cards.Say(":warning: "+v.problem))
	case v.widens != "":
		return c.tell(ctx, r, cards.MoveAsk(t, to, v.widens))
	}
	t, err = c.store.Move(ctx, t.ID, to, r.User)
	if err != nil {
		return err
	}
	c.homeChanged(ctx, r.Team, r.User)
	return c.tell(ctx, r, cards.Told(cards.Moved(t, "")))
}

// openMove opens the form, with the channel filled in if there is one.
func (c *Commands) openMove(ctx context.Context, r bot.Request, p pointed, to string) error {
	window := "move:" + hash(r.ID)
	return c.modal(ctx, r, cards.TitleMove, window, func(ctx context.Context) (thumbed, error) {
		t, err := c.visible(ctx, r, p.id)
		if errors.Is(err, errNotFound) {
			return func(bool) slack.ModalViewRequest {
				return cards.Missing(cards.TitleMove, p.id, bot.AsTyped(p.words), window)
			}, nil
		}
		if err != nil {
			return nil, err
		}
		form := cards.MoveTo{Channel: to, From: r.Channel}
		denied, err := c.whyNotMove(ctx, r, t)
		if err == nil && denied == "" && to != "" {
			var v verdict
			v, err = c.mayMoveTo(ctx, r, t, to)
			form.Problem, form.Widens = v.problem, v.widens
		}
		if err != nil {
			return nil, err
		}
		if denied != "" {
			return c.notice(cards.TitleMove, denied, window), nil
		}
		return func(bool) slack.ModalViewRequest { return cards.Move(t, form, window) }, nil
	})
}

// submitMove takes the submitted form, on the ack path: what Slack must be asked for is
// done by a job.
func (c *Commands) submitMove(ctx context.Context, r bot.Request) (bot.Reply, error) {
	form, problems := cards.DecodeMove(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	body := moving{
		Order: form.Order, To: form.Channel, Confirmed: form.Confirmed, Team: r.Team, User: r.User,
		Channel: cards.DecodeMeta(r.View.PrivateMetadata).Channel, View: r.View.ExternalID, At: time.Now(),
	}
	id := moveJob + ":" + r.ID
	if err := c.put(ctx, moveJob, id, "order:"+form.Order, body); err != nil {
		return bot.Reply{}, err
	}
	return c.lineReply(ctx, r, id, form.Order, cards.Moving(r.View.ExternalID), cards.MoveLater(r.View.ExternalID))
}

// verdict is what stands between an order and a channel.
type verdict struct {
	problem string       // why not, in a sentence of ours
	widens  cards.Widens // others could see it there: ask
}

// mayMoveTo decides whether the person may hand the order to that channel.
func (c *Commands) mayMoveTo(ctx context.Context, r bot.Request, t store.Tracked, to string) (verdict, error) {
	denied, err := c.whyNotMove(ctx, r, t)
	if err != nil || denied != "" {
		return verdict{problem: denied}, err
	}
	if to == t.Owner.Channel {
		return verdict{problem: cards.MovedAlready(t)}, nil
	}
	why, err := c.access.WhyNotPost(ctx, r.User, to)
	if err != nil || why != "" {
		return verdict{problem: cards.CannotPost(to, why)}, err
	}
	widens, err := c.widens(ctx, t.Owner.Channel, to)
	return verdict{widens: widens}, err
}

// whyNotMove says why the person may hand the order to no channel at all, or "".
func (c *Commands) whyNotMove(ctx context.Context, r bot.Request, t store.Tracked) (string, error) {
	why, err := c.access.WhyNoMemberNow(ctx, r.User)
	if err != nil {
		return "", err
	}
	if why != "" {
		return cards.CannotPost(t.Owner.Channel, why), nil
	}
	may, err := c.access.CanMove(ctx, r, t)
	if err != nil || may {
		return "", err
	}
	return cards.MoveDenied(t), nil
}

// widens tells who else could see an order of the one channel in the other: everybody in
// the workspace when what was private becomes public, people of other organisations wherever
// the new one is shared: those of the old one may be others. A channel that Slack does not
// let us look into counts as private.
func (c *Commands) widens(ctx context.Context, from, to string) (cards.Widens, error) {
	after, err := c.slack.Channel(ctx, to)
	switch {
	case err != nil:
		return "", err
	case access.SharedOut(after):
		return cards.WidensOut, nil
	case after.IsPrivate:
		return "", nil
	}
	before, err := c.slack.Channel(ctx, from)
	if err != nil && !outage(err) {
		c.log.InfoContext(ctx, "channel taken for private", "channel", from, "err", err)
		before.IsPrivate, err = true, nil
	}
	if err != nil || !before.IsPrivate {
		return "", err
	}
	return cards.WidensPublic, nil
}
