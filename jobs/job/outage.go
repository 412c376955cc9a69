package job

import (
	"cmp"
	"errors"
	"time"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store/queue"
	"darkroom/store/seal"
)

// Outage reports whether err passes by itself: Slack, Redis or the service did not answer. A missing encryption key is
// an outage, too: an operator adds it, or a process that has it takes the job.
func Outage(err error) bool {
	return client.Outage(err) || queue.Away(err) || errors.Is(err, order.ErrUnavailable) || errors.Is(err, seal.ErrUnknownKey)
}

// NeverLeft reports whether a request was not sent, because the account could not be read. It is false for errors of
// the service.
func NeverLeft(err error) bool {
	_, services := errors.AsType[*order.Error](err)
	return !services && Outage(err)
}

// OutageWait returns the wait that the other side asked for, else five seconds.
func OutageWait(err error) time.Duration { return cmp.Or(askedFor(err), 5*time.Second) }

// RetryAfter returns the wait that the service asked for, else one that doubles each time, up to a minute.
func RetryAfter(err error, waits int) time.Duration {
	return cmp.Or(askedFor(err), min(time.Duration(1<<min(waits, 6))*time.Second, time.Minute))
}

// askedFor returns the wait that the other side asked for, at most ten minutes; 0 if it did not.
func askedFor(err error) time.Duration {
	after, _ := client.RetryAfter(err)
	if told, ok := errors.AsType[*order.Error](err); ok {
		after = max(after, told.RetryAfter)
	}
	return min(after, 10*time.Minute)
}

// Problems returns the reasons of a refusal: the service's, or the app's if nothing was sent.
func Problems(err error) kit.Problems {
	if refused, ok := errors.AsType[*order.Error](err); ok && len(refused.Messages) > 0 {
		return refused.Messages
	}
	if input, ok := errors.AsType[*order.InputError](err); ok {
		return kit.Problems{input.Problem}
	}
	return kit.Problems{cards.Sentence(err, "")}
}
