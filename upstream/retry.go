package upstream

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"darkroom/order"

	"github.com/cenkalti/backoff/v5"
)

const (
	firstPause = 300 * time.Millisecond
	maxPause   = 15 * time.Second // a longer Retry-After is left to the caller
	maxRetry   = time.Hour        // upper bound of Error.RetryAfter
	clockLimit = time.Minute      // a smaller clock skew is ignored
)

// retry sends a read until it is answered, refused, or not worth repeating.
func (c *Client) retry(ctx context.Context, r request) (*answer, error) {
	pauses := &backoff.ExponentialBackOff{
		InitialInterval: firstPause, Multiplier: 2, MaxInterval: maxPause, RandomizationFactor: backoff.DefaultRandomizationFactor,
	}
	var last error
	a, err := backoff.Retry(ctx, func() (*answer, error) {
		a, err := c.attempt(ctx, r)
		r.resent++
		last = err
		return a, pause(ctx, err)
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(uint(c.cfg.Retries)+1), backoff.WithMaxElapsedTime(0))
	if err == nil {
		return a, nil
	}
	return nil, interrupted(ctx, last)
}

// pause tells the backoff library to stop, to wait as long as the service said, or to wait as usual.
func pause(ctx context.Context, err error) error {
	deadline, bounded := ctx.Deadline()
	e, ok := errors.AsType[*order.Error](err)
	switch {
	case !ok:
		return err
	case !temporary(e), e.RetryAfter > maxPause:
		return backoff.Permanent(err)
	case e.RetryAfter == 0:
		return err
	case bounded && time.Until(deadline) <= e.RetryAfter:
		return backoff.Permanent(err)
	}
	return &backoff.RetryAfterError{Duration: e.RetryAfter}
}

// interrupted adds the context's error as the cause, unless there is a cause.
func interrupted(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*order.Error](err); ok && ctx.Err() != nil && e.Cause == nil {
		e.Cause = &scrubbed{text: ctx.Err().Error(), err: ctx.Err(), kind: kindOf(ctx.Err())}
	}
	return err
}

// retryAfter reads seconds or an HTTP date. A date is relative to the service's own clock, if the answer has
// it.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if n, err := strconv.ParseUint(value, 10, 32); err == nil {
		return min(time.Duration(n)*time.Second, maxRetry)
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	theirs := now.Add(-skew(h, now))
	return min(max(until.Sub(theirs), 0), maxRetry)
}

// skew returns how far now is ahead of the answer's Date; 0 without one.
func skew(h http.Header, now time.Time) time.Duration {
	theirs, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return now.Sub(theirs)
}

// temporary reports whether the same read may soon succeed.
func temporary(e *order.Error) bool {
	if e.Settled || !e.Is(order.ErrUnavailable) {
		return false
	}
	return e.Status < http.StatusMultipleChoices || e.Status >= http.StatusInternalServerError ||
		e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout
}
