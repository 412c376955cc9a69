package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// Move hands orders to other channels.
type Move struct {
	slack   answers.Slack
	changes *store.Changes
	access  *access.Control
	finder  *Finder
	forms   *answers.Forms
	home    *Home
	log     *slog.Logger
}

// MayMoveTo checks whether the person may move the order to a channel. problem is a sentence for them. widens says
// which other people could see the order there, which they must confirm.
func (j *Move) MayMoveTo(ctx context.Context, r bot.Request, t store.Tracked, to string) (problem string, widens cards.Widens, err error) {
	denied, err := j.WhyNotMove(ctx, r, t)
	if err != nil || denied != "" {
		return denied, "", err
	}
	if to == t.Owner.Channel {
		return cards.MovedAlready(t), "", nil
	}
	why, err := j.access.WhyNotPost(ctx, r.User, to)
	if err != nil || why != "" {
		return cards.CannotPost(to, why), "", err
	}
	widens, err = j.widerAudience(ctx, t.Owner.Channel, to)
	return "", widens, err
}

// WhyNotMove returns why the person may not move the order to any channel, or "".
func (j *Move) WhyNotMove(ctx context.Context, r bot.Request, t store.Tracked) (string, error) {
	why, err := j.access.WhyNoMemberNow(ctx, r.User)
	if err != nil {
		return "", err
	}
	if why != "" {
		return cards.CannotPost(t.Owner.Channel, why), nil
	}
	may, kept, err := j.access.CanMove(ctx, r, t)
	switch {
	case err != nil || may:
		return "", err
	case len(kept) > 0:
		return cards.MoveKept(t, kept), nil
	}
	return cards.MoveDenied(t), nil
}

// widerAudience returns who else could see an order in the channel to: the whole workspace if a private channel's order
// moves to a public one, and people of other organisations if to is shared, even if from is. A channel that the app
// may not look into counts as private.
func (j *Move) widerAudience(ctx context.Context, from, to string) (cards.Widens, error) {
	after, err := j.slack.Channel(ctx, to)
	switch {
	case err != nil:
		return "", err
	case access.SharedOut(after):
		return cards.WidensOut, nil
	case after.IsPrivate:
		return "", nil
	}
	before, err := j.slack.Channel(ctx, from)
	if err != nil && !job.Outage(err) {
		j.log.InfoContext(ctx, "channel taken for private", "channel", from, "err", err)
		before.IsPrivate, err = true, nil
	}
	if err != nil || !before.IsPrivate {
		return "", err
	}
	return cards.WidensPublic, nil
}

// MoveArgs is the body of the job that hands an order to another channel.
type MoveArgs struct {
	answers.Asker
	Order     string `json:"order"`
	To        string `json:"to"`
	Confirmed bool   `json:"confirmed,omitempty"` // others may see it there
}

// moveOrder moves the order and answers in the form.
func (j *Move) moveOrder(ctx context.Context, d *queue.Delivery, body MoveArgs) error {
	view, err := j.moved(ctx, body, d.First)
	if errors.Is(err, ErrNotFound) || errors.Is(err, store.ErrNotTracked) {
		view, err = kit.Notice(cards.TitleMove, cards.NotFound(body.Order), body.View), nil
	}
	if err != nil {
		return err
	}
	return j.answerMove(ctx, body, view)
}

// answerMove answers in the form. If that is closed and was opened in a direct message, the app answers by one.
func (j *Move) answerMove(ctx context.Context, body MoveArgs, view slack.ModalViewRequest) error {
	body.Channel = Postable(body.Channel)
	return j.forms.Answer(ctx, body.Asker, view)
}

// moved moves the order and returns the result. A problem is shown in the form, with the channel still chosen.
func (j *Move) moved(ctx context.Context, body MoveArgs, first bool) (slack.ModalViewRequest, error) {
	r := body.AsRequest()
	t, err := j.finder.Visible(ctx, r, body.Order)
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	if !first && t.Owner.Channel == body.To { // an earlier delivery moved it
		return cards.Moved(t, body.View), nil
	}
	form := cards.MoveTo{Channel: body.To, From: body.Channel}
	form.Problem, form.Widens, err = j.MayMoveTo(ctx, r, t, body.To)
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	if form.Problem != "" || form.Widens != "" && !body.Confirmed {
		return cards.Move(t, form, body.View), nil
	}
	t, err = j.changes.Move(ctx, t.ID, body.To, body.User)
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	j.home.Changed(ctx, body.Team, body.User)
	return cards.Moved(t, body.View), nil
}

func (j *Move) moveKind() queue.Declared {
	return queue.Kind[MoveArgs]{
		Name: job.Move, Work: j.moveOrder, Blocked: j.moveBlocked,
		Asked: "moving an order", Truth: job.Always("The order's card or `/order list` shows where it is now."),
	}.Declare()
}

func (j *Move) moveBlocked(ctx context.Context, _ *queue.Delivery, body MoveArgs) error {
	return j.answerMove(ctx, body, cards.MoveLater(body.View))
}

// Postable returns channel, or "" for a direct message, which cannot own orders.
func Postable(channel string) string {
	if strings.HasPrefix(channel, "D") {
		return ""
	}
	return channel
}
