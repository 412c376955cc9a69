package access

import (
	"context"
	"slices"

	"darkroom/bot"
	"darkroom/store"
)

// Viewer is what one person may see, for questions about many orders: Slack is asked
// about each channel once, and when they are many, for all of the person's at once.
type Viewer struct {
	control  *Control
	Request  bot.Request
	channels map[string]membership
	fresh    bool  // what Slack said a minute ago does not count
	listed   bool  // Slack was asked for all channels of the person
	Err      error // the first outage met by [Viewer.Shows]
}

// fewChannels are asked about one by one.
const fewChannels = 3

// membership is what Slack says about a person and a channel.
type membership struct{ member, told bool }

// Viewer is one for looks.
func (a *Control) Viewer(r bot.Request) *Viewer {
	return &Viewer{control: a, Request: r, channels: map[string]membership{}}
}

// FreshViewer is one for what somebody who has just left must not see or do.
func (a *Control) FreshViewer(r bot.Request) *Viewer {
	v := a.Viewer(r)
	v.fresh = true
	return v
}

// CanSee reports whether the person may see the order now: the members of its channel may,
// and who has just left does not. Slack tells us members only of channels that the app is
// in. Of others we know that who stands in the channel while asking is in it, and who
// asked for the order may follow it.
func (a *Control) CanSee(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	return a.FreshViewer(r).Sees(ctx, t)
}

// Sees is [Control.CanSee] as Slack told a while ago, unless the viewer is a fresh one.
func (v *Viewer) Sees(ctx context.Context, t store.Tracked) (bool, error) {
	if v.Request.Team != t.Owner.Team {
		return false, nil
	}
	m, err := v.membership(ctx, t.Owner.Channel)
	if err != nil {
		return false, err
	}
	if !m.told {
		return v.Request.Channel == t.Owner.Channel || v.Request.User == t.Owner.Requester, nil
	}
	return m.member, nil
}

// Shows is [Viewer.Sees] for a search: an order of which it is not known stays hidden, and the
// reason is kept.
func (v *Viewer) Shows(ctx context.Context, t store.Tracked) bool {
	see, err := v.Sees(ctx, t)
	if v.Err == nil {
		v.Err = err
	}
	return see
}

func (v *Viewer) membership(ctx context.Context, channel string) (membership, error) {
	if m, known := v.channels[channel]; known {
		return m, nil
	}
	if len(v.channels) >= fewChannels && !v.listed && !v.fresh {
		if _, err := v.list(ctx); err != nil {
			return membership{}, err
		}
		return v.membership(ctx, channel)
	}
	ask := v.control.slack.IsMember
	if v.fresh {
		ask = v.control.slack.IsMemberNow
	}
	member, err := ask(ctx, channel, v.Request.User)
	if err != nil && unanswered(ctx, err) {
		return membership{}, err
	}
	if err != nil {
		v.control.log.DebugContext(ctx, "members not told", "channel", channel, "err", err)
	}
	m := membership{member: member, told: err == nil}
	v.channels[channel] = m
	return m, nil
}

// Channels are those with orders that the person is in, as far as Slack tells.
func (v *Viewer) Channels(ctx context.Context) ([]string, error) {
	in, err := v.list(ctx)
	if err != nil || len(in) == 0 {
		return nil, err
	}
	owning, err := v.control.store.Channels(ctx, v.Request.Team)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(owning, func(channel string) bool { return !slices.Contains(in, channel) }), nil
}

// list reads all channels that the person is in, as far as Slack tells.
func (v *Viewer) list(ctx context.Context) ([]string, error) {
	v.listed = true
	in, err := v.control.slack.UserChannels(ctx, v.Request.User)
	if err != nil && unanswered(ctx, err) {
		return nil, err
	}
	if err != nil {
		v.control.log.WarnContext(ctx, "a person's channels are not told", "user", v.Request.User, "err", err)
		return nil, nil
	}
	for _, channel := range in {
		v.channels[channel] = membership{member: true, told: true}
	}
	return in, nil
}
