package answers

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/account"
	"darkroom/cards/ops"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// Operators notifies the people who run the app, in the operations channel.
type Operators struct {
	Channel func(ctx context.Context, sentence string) (bool, error) // posts a sentence; nil: no operations channel
	Hosted  bool                                                     // workspace admins connect the account, but cannot change the app
	AddedAt string                                                   // page where the app is added; "" unless Hosted
	Once    *job.Once
	Log     *slog.Logger
}

// FixPatience is how long a job waits for an operator's fix. Then it is a dead letter.
const FixPatience = 24 * time.Hour

// Reachable reports whether there is an operations channel.
func (o *Operators) Reachable() bool { return o.Channel != nil }

// Notify posts a sentence in the operations channel, and reports whether it did.
func (o *Operators) Notify(ctx context.Context, sentence string) (sent bool, err error) {
	if o.Channel == nil {
		return false, nil
	}
	return o.Channel(ctx, sentence)
}

// Text returns hosted, the sentence for workspace admins, if they connect the account; else own.
func (o *Operators) Text(own, hosted string) string {
	if o.Hosted {
		return hosted
	}
	return own
}

// NotifyRefusal notifies operators of what Slack refuses, once a day for each refusal. It reports whether they know.
func (o *Operators) NotifyRefusal(ctx context.Context, err error) bool {
	refused, ok := errors.AsType[*client.Error](err)
	if !ok || o.Channel == nil {
		return false
	}
	name := "refused:" + job.Hash(refused.Method+" "+refused.Code+" "+refused.Needed)
	if !o.Once.First(ctx, name, FixPatience) {
		return true
	}
	sent, err := o.Channel(ctx, o.Text(ops.Refused(refused.Method, refused.Code, refused.Needed), ops.RefusedHere(refused.Code)))
	if err != nil {
		o.Log.WarnContext(ctx, "operations channel not told", "err", err)
	}
	if !sent {
		o.Once.Forget(ctx, name)
	}
	return sent
}

// Sentence adds to [cards.Sentence] the few errors that only a click meets. It notifies operators of errors that only
// they can fix.
func (o *Operators) Sentence(ctx context.Context, err error, ref string) string {
	switch {
	case errors.Is(err, client.ErrTrigger):
		return "Slack gives me three seconds to open a form, and I was too late. Nothing was sent. Try again."
	case errors.Is(err, client.ErrTryLater), errors.Is(err, client.ErrUnknownOutcome):
		return "Slack did not let me answer in time. Nothing was sent. Try again."
	case queue.Away(err), errors.Is(err, context.DeadlineExceeded):
		return cards.Unseen
	case errors.Is(err, client.ErrToken) && o.Hosted: // adding the app again gives it another token
		return account.NotAdded(o.AddedAt)
	case client.NeedsOperator(err):
		return ops.NotAllowed(o.NotifyRefusal(ctx, err))
	}
	return cards.Sentence(err, ref)
}
