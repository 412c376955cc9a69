package jobs

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store/queue"
)

// Sentence adds to the cards' sentences the few errors that only a click meets. What only
// operators can mend, they are told.
func (j *Jobs) Sentence(ctx context.Context, err error, ref string) string {
	switch {
	case errors.Is(err, bot.ErrTrigger):
		return "Slack gives me three seconds to open a form, and I was too late. Nothing was sent; please try again."
	case errors.Is(err, bot.ErrTryLater), errors.Is(err, bot.ErrUnknownOutcome):
		return "Slack did not let me answer in time. Nothing was sent; please try again."
	case queue.Away(err), errors.Is(err, context.DeadlineExceeded):
		return cards.Unseen
	case errors.Is(err, bot.ErrToken) && j.connecting != nil: // whoever adds the app brings another
		return cards.NotAdded(j.connecting.AddedAt)
	case bot.Mendable(err):
		return cards.NotAllowed(j.tellOperators(ctx, err))
	}
	return cards.Sentence(err, ref)
}
