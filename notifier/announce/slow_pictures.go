package announce

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// lookAhead begins to look at the previews of the reviews that are to be posted: that goes on while the
// channel waits for its turn.
func (v *announceRun) lookAhead(ctx context.Context) error {
	for _, e := range v.events {
		if v.glances == nil || e.Kind != order.EventReady || !v.live(e, v.events) {
			continue
		}
		events, err := v.course(ctx, e)
		if err != nil {
			return err
		}
		v.glances.begin(ctx, v.previews(e, events, nil))
	}
	return nil
}

// previews are the addresses that Slack would be asked to fetch for a review that waits.
func (v *announceRun) previews(e order.Event, events []order.Event, copies cards.Copies) []string {
	var addresses []string
	for _, image := range cards.ReviewPictures(v.t, e, cards.CourseOf(v.t, events, e)) {
		if copies[image.Thumb] == "" && !slices.Contains(v.memory.Missing, image.Thumb) {
			addresses = append(addresses, image.Thumb)
		}
	}
	return addresses
}

// leaveOutSlow leaves out the previews of a review that would hold it up.
func (v *announceRun) leaveOutSlow(ctx context.Context, e order.Event, events []order.Event, copies cards.Copies) error {
	v.asked = nil
	if v.glances == nil || e.Kind != order.EventReady {
		return nil
	}
	if err := v.leaveOutUnfetched(ctx, v.previews(e, events, copies)); err != nil {
		return err
	}
	verdict, err := v.glances.judge(ctx, v.previews(e, events, copies))
	if err != nil {
		return err
	}
	v.memory.Unasked = append(v.memory.Unasked, verdict.slow...)
	v.leaveOut(slices.Concat(verdict.slow, verdict.none))
	v.asked = v.previews(e, events, copies)
	return nil
}

// forgetPictures forgets which of a review's were left out, and why.
func (v *announceRun) forgetPictures() { v.memory.Missing, v.memory.Unasked, v.asked = nil, nil, nil }

const (
	// slackSlow is how long Slack may take to refuse a picture before its host counts as one from which Slack
	// fetches slowly, though we do not.
	slackSlow = 2 * time.Second
	// slackHeld is how long it may take to accept all of a message's.
	slackHeld = mostTogether + time.Second
	// slackSlowLife is for how long such a host counts as one.
	slackSlowLife = time.Hour
)

func slackSlowNote(host string) string { return "pictures-slow:" + host }

// leaveOutUnfetched leaves out those on hosts from which Slack itself fetched slowly a while ago.
func (v *announceRun) leaveOutUnfetched(ctx context.Context, addresses []string) error {
	slow := map[string]bool{}
	for _, address := range addresses {
		host := hostOf(address)
		if _, asked := slow[host]; !asked {
			_, known, err := store.Saved[bool](ctx, v.Store, slackSlowNote(host))
			if err != nil {
				return err
			}
			slow[host] = known
		}
		if slow[host] {
			v.leaveOut([]string{address})
		}
	}
	return nil
}

// noteSlackSlow remembers the hosts of pictures that held Slack up.
func (v *announceRun) noteSlackSlow(ctx context.Context, took time.Duration, err error) error {
	guilty := v.guilty(took, err)
	var done []string
	for _, address := range guilty {
		host := hostOf(address)
		if slices.Contains(done, host) {
			continue
		}
		done = append(done, host)
		v.Log.WarnContext(ctx, "slack fetches pictures slowly: they are filled in later for a while", "order", v.id, "host", host)
		if err := v.Store.PutTTL(ctx, slackSlowNote(host), true, slackSlowLife); err != nil {
			return err
		}
	}
	return nil
}

// guilty are the pictures that held Slack up: those that it named, or all that it was asked for.
func (v *announceRun) guilty(took time.Duration, err error) []string {
	named := slices.DeleteFunc(slices.Clone(v.asked), func(address string) bool { return !slices.Contains(v.memory.Missing, address) })
	switch {
	case errors.Is(err, bot.ErrUnknownOutcome), err == nil && len(named) == 0 && took >= slackHeld:
		return v.asked
	case took >= slackSlow:
		return named
	}
	return nil
}

// stepAside leaves a review whose post Slack did not answer, perhaps because of its pictures, to a job for
// when its outcome can be read: the lane goes on to the channel's other orders.
func (v *announceRun) stepAside(ctx context.Context) error {
	id := fmt.Sprintf("announce:%s:g%d:aside:%d", v.id, v.generation, v.d.Now().UnixMilli())
	next := store.AnnounceJob{Refresh: v.refresh, Reach: v.reach, Chain: v.chain, Unasked: v.memory.Unasked}
	return v.again(ctx, id, next, v.OutcomeAfter)
}
