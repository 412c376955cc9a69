package jobs

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// Slack is what the jobs and the commands need of the one Slack client.
type Slack interface {
	OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) error
	PushView(ctx context.Context, trigger string, v slack.ModalViewRequest) error
	UpdateView(ctx context.Context, externalID, viewID, hash string, v slack.ModalViewRequest) error
	PublishHome(ctx context.Context, user string, v slack.HomeTabViewRequest) error
	Respond(ctx context.Context, responseURL, text string, blocks ...slack.Block) error
	Tell(ctx context.Context, where bot.Where, text string, blocks ...slack.Block) error
	DM(ctx context.Context, user string, p bot.Post) (channel, ts string, err error)
	Edit(ctx context.Context, ts string, p bot.Post) error
	Channel(ctx context.Context, id string) (slack.Channel, error)
	Forget(channel, user string)
	User(ctx context.Context, id string) (slack.User, error)
	File(ctx context.Context, id string) (slack.File, error)
	OpenFile(ctx context.Context, id, rng string) (*http.Response, error)
	UploadImage(ctx context.Context, name string, data []byte) (file string, err error)
	SendFile(ctx context.Context, user, name, words string, data []byte) error
	UploadFile(ctx context.Context, name string, size int64, body io.Reader) (file string, err error)
	ShareFiles(ctx context.Context, channel, thread, comment string, files []slack.FileSummary) error
	SendFileFrom(ctx context.Context, user, name, words string, size int64, body io.Reader) error
	Identity(ctx context.Context) (bot.Identity, error)
	Root(ctx context.Context, channel, thread string) (slack.Message, error)
	Begin(ctx context.Context, channel, thread string, most int) (messages []slack.Message, more bool, err error)
	History(ctx context.Context, channel string, oldest time.Time) ([]slack.Message, error)
	Read(ctx context.Context, r bot.Reading) ([]slack.Message, error)
	Direct(ctx context.Context, user string) (channel string, err error)
}

// Tell answers a click so that only that person sees it.
func (j *Jobs) Tell(ctx context.Context, r bot.Request, m cards.Message) error {
	where := bot.Where{Channel: r.Channel, User: r.User, Thread: replyThread(r)}
	if time.Since(r.At) < AnswerLife {
		where.ResponseURL = r.ResponseURL
	}
	return j.slack.Tell(ctx, where, m.Text, m.Blocks...)
}

// replyThread is the thread in which a click is answered. A message that has replies names
// itself as its thread: pressed in the channel, it is answered in the channel.
func replyThread(r bot.Request) string {
	if r.Thread == r.MessageTS {
		return ""
	}
	return r.Thread
}

// ackTime is how long Slack may take to paint the acknowledgement of a submission: an
// answer that overtook it would be painted over.
const ackTime = 400 * time.Millisecond

// Answer puts a modal in the place of the form. Who has closed it is told the same by direct
// message; who had none open, where they asked.
func (j *Jobs) Answer(ctx context.Context, a Asker, view slack.ModalViewRequest) error {
	return j.showAnswer(ctx, a, plainly(view).minor())
}

// answerAndDM puts a modal in the place of the form, and says the same by direct messages in any
// case. They come last, so that a second delivery does not send them twice.
func (j *Jobs) answerAndDM(ctx context.Context, a Asker, s answer) error {
	if a.View != "" {
		if err := j.paintAnswer(ctx, a, s.view(cards.Thumbs{})); err != nil && (outage(err) || ctx.Err() != nil) {
			return err
		}
	}
	return j.inform(ctx, a, j.aboutOrder(ctx, s.about, s.messages())...)
}

// dm sends a direct message.
func (j *Jobs) dm(ctx context.Context, user string, m cards.Message) error {
	_, _, err := j.slack.DM(ctx, user, bot.Post{Text: m.Text, Blocks: m.Blocks})
	return err
}

// dmOrLog is dm that fails only while it makes sense to come back: see isWorthRetrying.
func (j *Jobs) dmOrLog(ctx context.Context, user string, m cards.Message) error {
	return j.retryOrLog(ctx, user, j.dm(ctx, user, m))
}

// retryOrLog is the error of telling a person something, as long as it makes sense to come back: see
// isWorthRetrying. Any other is logged.
func (j *Jobs) retryOrLog(ctx context.Context, user string, err error) error {
	if err == nil || ctx.Err() != nil || isWorthRetrying(err) {
		return err
	}
	j.log.ErrorContext(ctx, "person not told", "user", user, "err", err)
	return nil
}

// isWorthRetrying tells whether what could not be said to a person is to be said later: Slack is away,
// or refuses the app until an operator acts. Who cannot be reached at all is logged instead,
// and what may have arrived is not sent again.
func isWorthRetrying(err error) bool {
	return bot.Mendable(err) || outage(err) && !errors.Is(err, bot.ErrUnknownOutcome)
}

// update re-renders the modal; [bot.ErrGone] when it was closed.
func (j *Jobs) update(ctx context.Context, a Asker, view slack.ModalViewRequest) error {
	if err := a.painted(ctx); err != nil {
		return err
	}
	return j.slack.UpdateView(ctx, a.View, "", "", view)
}

// painted waits until the acknowledgement of the form can be seen.
func (a Asker) painted(ctx context.Context) error {
	// Another machine's clock may have said when: it is never longer than that.
	acked := time.NewTimer(min(time.Until(a.At.Add(ackTime)), ackTime))
	defer acked.Stop()
	select {
	case <-acked.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// progress re-renders a modal that only says how far we are: no failure of it matters.
func (j *Jobs) progress(ctx context.Context, a Asker, view slack.ModalViewRequest) {
	if a.View == "" {
		return
	}
	if err := j.update(ctx, a, view); err != nil && !errors.Is(err, bot.ErrGone) {
		j.log.DebugContext(ctx, "progress not shown", "user", a.User, "err", err)
	}
}

// Brief bounds a call that only decorates an answer.
func Brief(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, 5*time.Second)
}

// TypedLife is how long what somebody typed is kept for the buttons of an answer.
const TypedLife = 7 * 24 * time.Hour

// answer is what the person who submitted a form is shown.
type answer struct {
	view  ViewFunc        // in the form's place
	gone  []cards.Message // when it is not open; nil: the same as messages
	about store.Tracked   // whose card is shown the way to; zero: none's
	light bool            // nothing is lost with it for somebody who had no form open
}

// minor is the answer of which nobody who had no form open needs to keep anything.
func (s answer) minor() answer {
	s.light = true
	return s
}

// of is the answer about an order that its person may see.
func (s answer) of(t store.Tracked) answer {
	s.about = t
	return s
}

// keepWords keeps words for a message to the editor, as Slack would have sent them: the
// button that brings them along expects a line as it was typed.
func (j *Jobs) keepWords(ctx context.Context, user, note, words string) error {
	if words == "" {
		return nil
	}
	return j.store.PutPersonal(ctx, user, note, asSlackSends.Replace(words), TypedLife)
}

var asSlackSends = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// WordsNote is where they are kept.
func WordsNote(id string) string { return "words:" + Hash(id) }

// plainly is an answer without pictures; gone is said instead of it when the form is not open.
func plainly(view slack.ModalViewRequest, gone ...cards.Message) answer {
	return answer{view: func(cards.Thumbs) slack.ModalViewRequest { return view }, gone: gone}
}

func (s answer) messages() []cards.Message {
	if s.gone != nil {
		return s.gone
	}
	return cards.AsMessages(s.view(cards.Thumbs{}))
}

// showAnswer puts the answer in the place of the form. Who has closed it, or had none open, is
// told it alone, in as many messages as it needs: see [Jobs.tellAlone]. It fails only while Slack
// is away.
func (j *Jobs) showAnswer(ctx context.Context, a Asker, s answer) error {
	if a.View == "" {
		return j.tellAlone(ctx, a, s)
	}
	err := j.ShowView(ctx, s.view, func(view slack.ModalViewRequest) error { return j.paintAnswer(ctx, a, view) })
	if err == nil || outage(err) || ctx.Err() != nil {
		return err
	}
	return j.tellAlone(ctx, a, s)
}

// tellAlone tells an answer for which no form is open: by direct message, unless it is a light one
// to a line.
func (j *Jobs) tellAlone(ctx context.Context, a Asker, s answer) error {
	if s.light && a.View == "" {
		return j.hint(ctx, a, s.messages()...)
	}
	return j.inform(ctx, a, j.aboutOrder(ctx, s.about, s.messages())...)
}

// AnswerLife is how long after a click its answer still makes sense; Slack's response
// URLs live as long.
const AnswerLife = 30 * time.Minute

// Postable is the channel an order can be posted to: direct messages own no orders.
func Postable(channel string) string {
	if strings.HasPrefix(channel, "D") {
		return ""
	}
	return channel
}
