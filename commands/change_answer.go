package commands

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
)

// typedLife is how long what somebody typed is kept for the buttons of an answer.
const typedLife = 7 * 24 * time.Hour

// answer is what the person who submitted a form is shown.
type answer struct {
	view thumbed                // in the form's place
	gone func() []cards.Message // when they have closed it; nil: the same as messages
}

// keepWords keeps words for a message to the editor, as Slack would have sent them: the
// button that brings them along expects a line as it was typed.
func (c *Commands) keepWords(ctx context.Context, note, words string) error {
	if words == "" {
		return nil
	}
	return c.store.Note(ctx, note, asSlackSends.Replace(words), typedLife)
}

var asSlackSends = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// wordsNote is where they are kept.
func wordsNote(id string) string { return "words:" + hash(id) }

// plainly is an answer without pictures.
func plainly(view slack.ModalViewRequest) answer {
	return answer{view: func(bool) slack.ModalViewRequest { return view }}
}

func (s answer) messages() []cards.Message {
	if s.gone != nil {
		return s.gone()
	}
	return cards.ToldInFull(s.view(false))
}

// showAnswer puts the answer in the place of the form; when the person has closed it, the
// same is told to them alone, in as many messages as it needs. It fails only while Slack
// is away.
func (c *Commands) showAnswer(ctx context.Context, w window, s answer) error {
	err := c.update(ctx, w, s.view(true))
	if errors.Is(err, bot.ErrPayload) {
		c.log.WarnContext(ctx, "shown without pictures", "user", w.User, "err", err)
		err = c.update(ctx, w, s.view(false))
	}
	if err == nil || outage(err) || ctx.Err() != nil {
		return err
	}
	for _, m := range s.messages() {
		if err := c.tellAlone(ctx, w, m); err != nil {
			return err
		}
	}
	return nil
}

// tellAlone tells the person whose form is gone; one who cannot be reached is logged, and
// what may have arrived is not sent again.
func (c *Commands) tellAlone(ctx context.Context, w window, m cards.Message) error {
	_, err := c.slack.Tell(ctx, bot.Where{Channel: w.Channel, User: w.User}, m.Text, m.Blocks...)
	if err == nil || ctx.Err() != nil || sayLater(err) {
		return err
	}
	c.log.ErrorContext(ctx, "person not answered", "user", w.User, "err", err)
	return nil
}
