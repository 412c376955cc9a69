package workspace

import "time"

// rates holds what was called lately. Posting takes one message a second and
// channel after a burst; other methods have calls a minute.
type rates struct {
	burst   float64
	tiers   bool
	seldom  bool // reading messages takes one call a minute
	posts   map[string]bucket
	windows map[string]span
}

type bucket struct {
	tokens float64
	at     time.Time
}

type span struct {
	calls int
	from  time.Time
}

func newRates(o Options) rates {
	return rates{burst: float64(o.PostBurst), tiers: o.Tiers, seldom: o.Unlisted, posts: map[string]bucket{}, windows: map[string]span{}}
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

// call counts one call of a method, or says how long to wait.
func (r *rates) call(method string, perMinute int, now time.Time) time.Duration {
	if r.seldom && readsMessages(method) {
		perMinute = 1
	} else if !r.tiers || perMinute == 0 {
		return 0
	}
	seen := r.windows[method]
	if now.Sub(seen.from) >= time.Minute {
		seen = span{from: now}
	}
	if seen.calls >= perMinute {
		return seen.from.Add(time.Minute).Sub(now)
	}
	seen.calls++
	r.windows[method] = seen
	return 0
}

// fewMessages is what a call that reads messages gives to an app outside the Marketplace.
// Slack: docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps.
const fewMessages = 15

func readsMessages(method string) bool {
	return method == "conversations.history" || method == "conversations.replies"
}
