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

// Outage tells whether err is somebody not answering, which passes by itself, rather
// than an answer that will not change. A key that this process lacks is brought to it, or another process
// that has it takes the job.
func Outage(err error) bool {
	return client.Outage(err) || queue.Away(err) || errors.Is(err, order.ErrUnavailable) || errors.Is(err, seal.ErrUnknownKey)
}

// NeverLeft reports whether an error was met before the request was sent: the account could not be read. It is not
// for errors of the service.
func NeverLeft(err error) bool {
	_, services := errors.AsType[*order.Error](err)
	return !services && Outage(err)
}

// OutageWait is as long as the other side asked for, else a few seconds.
func OutageWait(err error) time.Duration { return cmp.Or(askedFor(err), 5*time.Second) }

// RetryAfter is how long to leave the service alone: as long as it asked, else a
// little longer each time, up to a minute.
func RetryAfter(err error, waits int) time.Duration {
	return cmp.Or(askedFor(err), min(time.Duration(1<<min(waits, 6))*time.Second, time.Minute))
}

// askedFor is how long the other side asked to be left alone, at most ten minutes; 0 when it did
// not.
func askedFor(err error) time.Duration {
	after, _ := client.RetryAfter(err)
	if told, ok := errors.AsType[*order.Error](err); ok {
		after = max(after, told.RetryAfter)
	}
	return min(after, 10*time.Minute)
}

// Problems are the reasons of a refusal: the service's own, or ours for what never left.
func Problems(err error) kit.Problems {
	if refused, ok := errors.AsType[*order.Error](err); ok && len(refused.Messages) > 0 {
		return refused.Messages
	}
	if input, ok := errors.AsType[*order.InputError](err); ok {
		return kit.Problems{input.Problem}
	}
	return kit.Problems{cards.Sentence(err, "")}
}
