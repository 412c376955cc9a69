package announce

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"time"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// pictureStage checks previews before a review is posted, and leaves out slow ones.
type pictureStage struct {
	checks *imageChecks // nil: previews are not checked
	docs   store.Documents
	record *record
	log    *slog.Logger
}

// exec starts to check the previews of pending reviews. The checks run while the channel waits for its
// slot.
func (p *pictureStage) exec(ctx context.Context, a *announcement) error {
	for _, e := range a.events {
		if p.checks == nil || e.Kind != order.EventReady || !a.live(e, a.events) {
			continue
		}
		events, err := p.record.around(ctx, a, e)
		if err != nil {
			return err
		}
		p.checks.begin(ctx, p.addresses(a, e, events, nil))
	}
	return nil
}

// addresses returns the previews that Slack would fetch for a review.
func (p *pictureStage) addresses(a *announcement, e order.Event, events []order.Event, copies cards.Copies) []string {
	var addresses []string
	for _, image := range cards.ReviewPictures(a.tracked, e, cards.RoundHistoryOf(a.tracked, events, e)) {
		if copies[image.Thumb] == "" && !slices.Contains(a.state.Missing, image.Thumb) {
			addresses = append(addresses, image.Thumb)
		}
	}
	return addresses
}

// leaveOutSlow leaves out previews that would delay a review.
func (p *pictureStage) leaveOutSlow(ctx context.Context, a *announcement, e order.Event, events []order.Event, copies cards.Copies) error {
	a.asked = nil
	if p.checks == nil || e.Kind != order.EventReady {
		return nil
	}
	if err := p.leaveOutUnfetched(ctx, a, p.addresses(a, e, events, copies)); err != nil {
		return err
	}
	verdict, err := p.checks.judge(ctx, p.addresses(a, e, events, copies))
	if err != nil {
		return err
	}
	a.state.Unasked = append(a.state.Unasked, verdict.slow...)
	a.leaveOut(slices.Concat(verdict.slow, verdict.none))
	a.asked = p.addresses(a, e, events, copies)
	return nil
}

const (
	// slackSlow is how long Slack may take to refuse a picture before the picture's host counts as slow
	// for Slack.
	slackSlow = 2 * time.Second
	// slackHeld is how long Slack may take to accept a message with pictures.
	slackHeld = mostTogether + time.Second
	// slackSlowLife is how long a host counts as slow.
	slackSlowLife = time.Hour
)

func slackSlowNote(host string) string { return "pictures-slow:" + host }

// leaveOutUnfetched leaves out previews on hosts that were slow for Slack.
func (p *pictureStage) leaveOutUnfetched(ctx context.Context, a *announcement, addresses []string) error {
	slow := map[string]bool{}
	for _, address := range addresses {
		host := hostOf(address)
		if _, asked := slow[host]; !asked {
			_, known, err := store.Saved[bool](ctx, p.docs, slackSlowNote(host))
			if err != nil {
				return err
			}
			slow[host] = known
		}
		if slow[host] {
			a.leaveOut([]string{address})
		}
	}
	return nil
}

// saveSlackSlow saves the hosts of pictures that delayed Slack.
func (p *pictureStage) saveSlackSlow(ctx context.Context, a *announcement, took time.Duration, err error) error {
	guilty := p.guilty(a, took, err)
	var done []string
	for _, address := range guilty {
		host := hostOf(address)
		if slices.Contains(done, host) {
			continue
		}
		done = append(done, host)
		p.log.WarnContext(ctx, "slack fetches pictures slowly: they are filled in later for a while", "order", a.id, "host", host)
		if err := p.docs.PutTTL(ctx, slackSlowNote(host), true, slackSlowLife); err != nil {
			return err
		}
	}
	return nil
}

// guilty returns the pictures that delayed Slack: those that Slack named, or all of them.
func (p *pictureStage) guilty(a *announcement, took time.Duration, err error) []string {
	named := slices.DeleteFunc(slices.Clone(a.asked), func(address string) bool { return !slices.Contains(a.state.Missing, address) })
	switch {
	case errors.Is(err, client.ErrUnknownOutcome), err == nil && len(named) == 0 && took >= slackHeld:
		return a.asked
	case took >= slackSlow:
		return named
	}
	return nil
}

// hostOf returns a picture's host, or "" for a malformed address.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
