package commands

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
)

// Slack is what the commands need of the one Slack client.
type Slack interface {
	OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) (*slack.View, error)
	PushView(ctx context.Context, trigger string, v slack.ModalViewRequest) (*slack.View, error)
	UpdateView(ctx context.Context, externalID, viewID, hash string, v slack.ModalViewRequest) (*slack.View, error)
	PublishHome(ctx context.Context, user, hash string, v slack.HomeTabViewRequest) error
	Respond(ctx context.Context, responseURL, text string, replace bool, blocks ...slack.Block) error
	Tell(ctx context.Context, where bot.Where, text string, blocks ...slack.Block) (bot.Reached, error)
	DM(ctx context.Context, user string, p bot.Post) (channel, ts string, err error)
	Channel(ctx context.Context, id string) (slack.Channel, error)
	Join(ctx context.Context, id string) error
	IsMember(ctx context.Context, channel, user string) (bool, error)
	IsMemberNow(ctx context.Context, channel, user string) (bool, error)
	Members(ctx context.Context, channel string) (ids map[string]bool, whole bool, err error)
	Forget(channel, user string)
	User(ctx context.Context, id string) (slack.User, error)
	UserNow(ctx context.Context, id string) (slack.User, error)
	UserChannels(ctx context.Context, user string) ([]string, error)
	File(ctx context.Context, id string) (slack.File, error)
	Identity(ctx context.Context) (bot.Identity, error)
	Root(ctx context.Context, channel, thread string) (slack.Message, error)
}

// tell answers a click so that only that person sees it.
func (c *Commands) tell(ctx context.Context, r bot.Request, m cards.Message) error {
	where := bot.Where{Channel: r.Channel, User: r.User, Thread: besides(r)}
	if time.Now().Sub(r.At) < clickLife {
		where.ResponseURL = r.ResponseURL
	}
	_, err := c.slack.Tell(ctx, where, m.Text, m.Blocks...)
	return err
}

// besides is the thread in which a click is answered. A message that has replies names
// itself as its thread: pressed in the channel, it is answered in the channel.
func besides(r bot.Request) string {
	if r.Thread == r.MessageTS {
		return ""
	}
	return r.Thread
}

// window is where a submitted form is answered: its modal while it is open, else the
// person.
type window struct {
	View    string // external id of the modal
	User    string
	Channel string    // where the form was opened; empty = nowhere, answer by DM
	Acked   time.Time // when its submission was acknowledged; zero = it was not submitted
}

// ackTime is how long Slack may take to paint the acknowledgement of a submission: an
// answer that overtook it would be painted over.
const ackTime = 400 * time.Millisecond

// answer puts a modal in the place of the form; when the person has closed it, the
// same is told to them alone, in as many messages as it needs.
func (c *Commands) answer(ctx context.Context, w window, view slack.ModalViewRequest) error {
	return c.answerOr(ctx, w, view, cards.ToldInFull(view)...)
}

// answerOr is answer with other words for the person who has closed the form. It fails
// only while it makes sense to come back: see sayLater.
func (c *Commands) answerOr(ctx context.Context, w window, view slack.ModalViewRequest, gone ...cards.Message) error {
	err := c.update(ctx, w, view)
	if err == nil || outage(err) || ctx.Err() != nil {
		return err
	}
	for _, m := range gone {
		if err := c.tellAlone(ctx, w, m); err != nil {
			return err
		}
	}
	return nil
}

// dm sends a direct message.
func (c *Commands) dm(ctx context.Context, user string, m cards.Message) error {
	_, _, err := c.slack.DM(ctx, user, bot.Post{Text: m.Text, Blocks: m.Blocks})
	return err
}

// dmOrLog is dm that fails only while it makes sense to come back: see sayLater.
func (c *Commands) dmOrLog(ctx context.Context, user string, m cards.Message) error {
	err := c.dm(ctx, user, m)
	if err == nil || ctx.Err() != nil || sayLater(err) {
		return err
	}
	c.log.ErrorContext(ctx, "person not told", "user", user, "err", err)
	return nil
}

// sayLater tells whether what could not be said to a person is to be said later: Slack is away,
// or refuses the app until an operator acts. Who cannot be reached at all is logged instead,
// and what may have arrived is not sent again.
func sayLater(err error) bool {
	return bot.Mendable(err) || outage(err) && !errors.Is(err, bot.ErrUnknownOutcome)
}

// update re-renders the modal; [bot.ErrGone] when it was closed.
func (c *Commands) update(ctx context.Context, w window, view slack.ModalViewRequest) error {
	if err := w.painted(ctx); err != nil {
		return err
	}
	_, err := c.slack.UpdateView(ctx, w.View, "", "", view)
	return err
}

// painted waits until the acknowledgement of the form can be seen.
func (w window) painted(ctx context.Context) error {
	// Another machine's clock may have said when: it is never longer than that.
	acked := time.NewTimer(min(time.Until(w.Acked.Add(ackTime)), ackTime))
	defer acked.Stop()
	select {
	case <-acked.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// progress re-renders a modal that only says how far we are: no failure of it matters.
func (c *Commands) progress(ctx context.Context, w window, view slack.ModalViewRequest) {
	if err := c.update(ctx, w, view); err != nil && !errors.Is(err, bot.ErrGone) {
		c.log.DebugContext(ctx, "progress not shown", "user", w.User, "err", err)
	}
}

// brief bounds a call that only decorates an answer.
func brief(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, 5*time.Second)
}
