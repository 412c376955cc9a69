// Package answers tells people what became of what they asked for: in the form that they submitted, by direct
// message, or where they clicked. It notifies operators in their channel.
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

// Forms answers in the form that was submitted, while it is open.
type Forms struct {
	Slack     Slack
	Documents *store.DocumentStore
	Messages  *Messages
	Putter    *job.Putter
	Log       *slog.Logger
}

// AckTime is how long Slack may take to paint the acknowledgement of a submission: an
// answer that overtook it would be painted over.
const AckTime = 400 * time.Millisecond

// Answer puts a modal in the place of the form. Who has closed it is told the same by direct
// message; who had none open, where they asked.
func (j *Forms) Answer(ctx context.Context, a Asker, view slack.ModalViewRequest) error {
	return j.Show(ctx, a, Plain(view).Minor())
}

// AnswerAndSend puts a modal in the place of the form, and says the same by direct messages in any
// case. They come last, so that a second delivery does not send them twice.
func (j *Forms) AnswerAndSend(ctx context.Context, a Asker, s Answer) error {
	if a.View != "" {
		if err := j.Paint(ctx, a, s.View(cards.Thumbs{})); err != nil && (job.Outage(err) || ctx.Err() != nil) {
			return err
		}
	}
	return j.Messages.Inform(ctx, a, j.Messages.aboutOrder(ctx, s.order, s.messages())...)
}

// update re-renders the modal; [client.ErrGone] when it was closed.
func (j *Forms) update(ctx context.Context, a Asker, view slack.ModalViewRequest) error {
	if err := a.Painted(ctx); err != nil {
		return err
	}
	return j.Slack.UpdateView(ctx, a.View, "", "", view)
}

// Painted waits until the acknowledgement of the form can be seen.
func (a Asker) Painted(ctx context.Context) error {
	// Another machine's clock may have said when: it is never longer than that.
	acked := time.NewTimer(min(time.Until(a.At.Add(AckTime)), AckTime))
	defer acked.Stop()
	select {
	case <-acked.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Progress re-renders a modal that only says how far we are: no failure of it matters.
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

// TypedLife is how long what somebody typed is kept for the buttons of an answer.
const TypedLife = 7 * 24 * time.Hour

// Answer is what the person who submitted a form is shown.
type Answer struct {
	View   ViewFunc      // in the form's place
	Closed []kit.Message // when it is not open; nil: the same as messages
	order  store.Tracked // whose card is shown the way to; zero: none's
	light  bool          // nothing is lost with it for somebody who had no form open
}

// Minor is the answer of which nobody who had no form open needs to keep anything.
func (s Answer) Minor() Answer {
	s.light = true
	return s
}

// About is the answer about an order that its person may see.
func (s Answer) About(t store.Tracked) Answer {
	s.order = t
	return s
}

// KeepWords keeps words for a message to the editor, as Slack would have sent them: the
// button that brings them along expects a line as it was typed.
func (j *Forms) KeepWords(ctx context.Context, user, note, words string) error {
	if words == "" {
		return nil
	}
	return j.Documents.PutPersonal(ctx, user, note, asSlackSends.Replace(words), TypedLife)
}

var asSlackSends = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// WordsNote is where they are kept.
func WordsNote(id string) string { return "words:" + job.Hash(id) }

// Plain is an answer without pictures; gone is said instead of it when the form is not open.
func Plain(view slack.ModalViewRequest, gone ...kit.Message) Answer {
	return Answer{View: func(cards.Thumbs) slack.ModalViewRequest { return view }, Closed: gone}
}

func (s Answer) messages() []kit.Message {
	if s.Closed != nil {
		return s.Closed
	}
	return kit.AsMessages(s.View(cards.Thumbs{}))
}

// Show puts the answer in the place of the form. Who has closed it, or had none open, is
// told it alone, in as many messages as it needs: see [Forms.tellAlone]. It fails only while Slack
// is away.
func (j *Forms) Show(ctx context.Context, a Asker, s Answer) error {
	if a.View == "" {
		return j.tellAlone(ctx, a, s)
	}
	err := j.ShowView(ctx, s.View, func(view slack.ModalViewRequest) error { return j.Paint(ctx, a, view) })
	if err == nil || job.Outage(err) || ctx.Err() != nil {
		return err
	}
	return j.tellAlone(ctx, a, s)
}

// tellAlone tells an answer for which no form is open: by direct message, unless it is a light one
// to a line.
func (j *Forms) tellAlone(ctx context.Context, a Asker, s Answer) error {
	if s.light && a.View == "" {
		return j.Messages.Hint(ctx, a, s.messages()...)
	}
	return j.Messages.Inform(ctx, a, j.Messages.aboutOrder(ctx, s.order, s.messages())...)
}

// KeepText keeps what was typed for a message to the editor.
func (j *Forms) KeepText(ctx context.Context, user, note string, typed change.Changes, t store.Tracked) error {
	return j.KeepWords(ctx, user, note, typed.Text(t))
}
