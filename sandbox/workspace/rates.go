package workspace

import "time"

// rates holds what was called lately. Posting takes one message a second and
// channel after a burst.
type rates struct {
	burst  float64
	seldom bool // reading messages takes one call a minute
	posts  map[string]bucket
	reads  map[string]time.Time // by method: the latest
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newRates(o Options) rates {
	return rates{burst: float64(o.PostBurst), seldom: o.Unlisted, posts: map[string]bucket{}, reads: map[string]time.Time{}}
}

// post takes one message for the channel, or says how long to wait.
func (r *rates) post(channel string, now time.Time) time.Duration {
	if r.burst < 0 {
		return 0
	}
	b, seen := r.posts[channel]
	if !seen {
		b = bucket{tokens: r.burst, at: now}
	}
	b.tokens = min(r.burst, b.tokens+now.Sub(b.at).Seconds())
	b.at = now
	defer func() { r.posts[channel] = b }()
	if b.tokens < 1 {
		return time.Duration((1 - b.tokens) * float64(time.Second))
	}
	b.tokens--
	return 0
}

// read counts one call that reads messages, where one a minute is allowed, or says how long to wait.
func (r *rates) read(method string, now time.Time) time.Duration {
	if !r.seldom || !readsMessages(method) {
		return 0
	}
	if again := r.reads[method].Add(time.Minute); now.Before(again) {
		return again.Sub(now)
	}
	r.reads[method] = now
	return 0
}

// fewMessages is what a call that reads messages gives to an app outside the Marketplace.
// Slack: docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps.
const fewMessages = 15

func readsMessages(method string) bool {
	return method == "conversations.history" || method == "conversations.replies"
}
