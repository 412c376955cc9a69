// Package answers shows people the outcome of their requests: in the form that they submitted, by direct message, or
// where they clicked. It notifies operators in their channel.
package answers

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/jobs/job"
	"darkroom/store"
)

// Forms answers in the submitted form while it is open.
type Forms struct {
	Slack     Slack
	Documents *store.DocumentStore
	Messages  *Messages
	Putter    *job.Putter
	Mark      cards.MarkURL // nil without PUBLIC_URL
	Log       *slog.Logger
}

// AckTime is how long Slack may take to show the acknowledgement of a submission. It would cover an earlier answer.
const AckTime = 400 * time.Millisecond

// Answer replaces the form by a modal. A person who closed the form gets the same by direct message, a person without a
// form where they asked.
func (j *Forms) Answer(ctx context.Context, a Asker, view slack.ModalViewRequest) error {
	return j.Show(ctx, a, Plain(view).Minor())
}

// AnswerAndSend replaces the form by a modal, and always sends the same by direct message. The messages come last, so
// that a second delivery does not send them twice.
func (j *Forms) AnswerAndSend(ctx context.Context, a Asker, s Answer) error {
	if a.View != "" {
		if err := j.Paint(ctx, a, s.View(cards.Thumbs{})); err != nil && (job.Outage(err) || ctx.Err() != nil) {
			return err
		}
	}
	return j.Messages.Inform(ctx, a, j.Messages.aboutOrder(ctx, s.order, s.messages())...)
}

// update re-renders the modal; [client.ErrGone] if it was closed.
func (j *Forms) update(ctx context.Context, a Asker, view slack.ModalViewRequest) error {
	if err := a.Painted(ctx); err != nil {
		return err
	}
	return j.Slack.UpdateView(ctx, a.View, "", "", view)
}

// Painted waits until Slack shows the acknowledgement of the form.
func (a Asker) Painted(ctx context.Context) error {
	// a.At may be by another machine's clock, so the wait is bounded.
	acked := time.NewTimer(min(time.Until(a.At.Add(AckTime)), AckTime))
	defer acked.Stop()
	select {
	case <-acked.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Progress shows progress in the modal. It logs a failure.
func (j *Forms) Progress(ctx context.Context, a Asker, view slack.ModalViewRequest) {
	if a.View == "" {
		return
	}
	if err := j.update(ctx, a, view); err != nil && !errors.Is(err, client.ErrGone) {
		j.Log.DebugContext(ctx, "progress not shown", "user", a.User, "err", err)
	}
}

// Brief bounds a call that only decorates an answer.
func Brief(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, 5*time.Second)
}

// TypedLife is how long typed text is saved for the buttons of an answer.
const TypedLife = 7 * 24 * time.Hour

// Answer is shown to the person who submitted a form.
type Answer struct {
	View   ViewFunc      // replaces the form
	Closed []kit.Message // if the form is not open; nil: the view as messages
	order  store.Tracked // order whose card is linked; zero: no link
	minor  bool          // see [Answer.Minor]
}

// Minor returns an answer that a person without a form may lose: it is then an ephemeral message.
func (s Answer) Minor() Answer {
	s.minor = true
	return s
}

// About returns the answer with a link to the card of an order that its person may see.
func (s Answer) About(t store.Tracked) Answer {
	s.order = t
	return s
}

// SaveWords saves text for a message to the editor, escaped as Slack escapes a typed line: the answer's button expects
// that.
func (j *Forms) SaveWords(ctx context.Context, user, note, words string) error {
	if words == "" {
		return nil
	}
	return j.Documents.PutPersonal(ctx, user, note, asSlackSends.Replace(words), TypedLife)
}

var asSlackSends = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// WordsDoc names the document with the text that a request was typed with.
func WordsDoc(id string) string { return "words:" + job.Hash(id) }

// Plain returns an answer without pictures. gone replaces it if the form is not open.
func Plain(view slack.ModalViewRequest, gone ...kit.Message) Answer {
	return Answer{View: func(cards.Thumbs) slack.ModalViewRequest { return view }, Closed: gone}
}

func (s Answer) messages() []kit.Message {
	if s.Closed != nil {
		return s.Closed
	}
	return kit.AsMessages(s.View(cards.Thumbs{}))
}

// Show replaces the form by the answer. If no form is open, the person gets it in as many messages as needed. It fails
// only while Slack is away.
func (j *Forms) Show(ctx context.Context, a Asker, s Answer) error {
	if a.View == "" {
		return j.sendAlone(ctx, a, s)
	}
	err := j.ShowView(ctx, s.View, func(view slack.ModalViewRequest) error { return j.Paint(ctx, a, view) })
	if err == nil || job.Outage(err) || ctx.Err() != nil {
		return err
	}
	return j.sendAlone(ctx, a, s)
}

// sendAlone sends an answer for which no form is open: by direct message, unless it is a minor answer to a line.
func (j *Forms) sendAlone(ctx context.Context, a Asker, s Answer) error {
	if s.minor && a.View == "" {
		return j.Messages.Hint(ctx, a, s.messages()...)
	}
	return j.Messages.Inform(ctx, a, j.Messages.aboutOrder(ctx, s.order, s.messages())...)
}

// SaveText saves the text of the revise form for a message to the editor.
func (j *Forms) SaveText(ctx context.Context, user, note string, typed change.Changes, t store.Tracked) error {
	return j.SaveWords(ctx, user, note, typed.Text(t))
}
