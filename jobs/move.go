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

// MayMoveTo says what stands between an order and a channel to which the person hands it: a problem,
// in a sentence of ours, or that others could see it there, which is to be asked.
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

// WhyNotMove says why the person may hand the order to no channel at all, or "".
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

// widerAudience tells who else could see an order of the one channel in the other: everybody in
// the workspace when what was private becomes public, people of other organisations wherever
// the new one is shared: those of the old one may be others. A channel that Slack does not
// let us look into counts as private.
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
	Confirmed bool   `json:"confirmed,omitempty"` // the others may see it there
}

// moveOrder hands the order over, and answers in the form's modal.
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

// answerMove answers in the form. Who has closed it, and opened it in a direct message, hears by
// one from the app.
func (j *Move) answerMove(ctx context.Context, body MoveArgs, view slack.ModalViewRequest) error {
	body.Channel = Postable(body.Channel)
	return j.forms.Answer(ctx, body.Asker, view)
}

// moved moves the order and says what came of it; what stands against it is said in the
// form, with the channel still chosen.
func (j *Move) moved(ctx context.Context, body MoveArgs, first bool) (slack.ModalViewRequest, error) {
	r := body.AsRequest()
	t, err := j.finder.Visible(ctx, r, body.Order)
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	if !first && t.Owner.Channel == body.To { // an earlier run moved it and died
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
		Asked: "moving an order", Truth: job.Always("Where the order is now its card says, or `/order list`."),
	}.Declare()
}

func (j *Move) moveBlocked(ctx context.Context, _ *queue.Delivery, body MoveArgs) error {
	return j.answerMove(ctx, body, cards.MoveLater(body.View))
}

// Postable is the channel an order can be posted to: direct messages own no orders.
func Postable(channel string) string {
	if strings.HasPrefix(channel, "D") {
		return ""
	}
	return channel
}
