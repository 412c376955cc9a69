package access

import (
	"context"
	"slices"

	"darkroom/bot"
	"darkroom/store"
)

// Viewer tells which of many orders one person may see. It asks Slack about each channel once,
// and when there are many channels, for all that the person is in. It is good for one answer to
// one person, and for one goroutine; [Control.Viewer] and [Control.FreshViewer] make one.
type Viewer struct {
	Request bot.Request // who asks, and where
	Err     error       // the first one that made [Viewer.Shows] hide an order; nil: it hid none for that

	control  *Control
	channels map[string]membership // what Slack has told so far
	fresh    bool                  // what Slack said a minute ago does not count
	listed   bool                  // Slack was asked for all channels of the person
}

// fewChannels are asked about one by one.
const fewChannels = 3

// membership is what Slack says about a person and a channel. It tells nothing of channels that
// the app cannot see.
type membership struct{ member, told bool }

// Viewer returns one for lists and searches: what Slack said a minute ago counts.
func (a *Control) Viewer(r bot.Request) *Viewer {
	return &Viewer{control: a, Request: r, channels: map[string]membership{}}
}

// FreshViewer returns one for what somebody who has just left must not see or do. Each channel
// costs a question to Slack, so it is for few of them.
func (a *Control) FreshViewer(r bot.Request) *Viewer {
	v := a.Viewer(r)
	v.fresh = true
	return v
}

// CanSee reports whether the person may see the order at this moment: the members of its channel
// may, and who has just left does not. Of a private channel that the app is not in, Slack tells no
// members: its orders are seen by whoever asks from within it, and so is in it, and by the person
// who asked for them. Nobody sees an order of a workspace other than the one they ask from. An order whose
// requester is gone and whose channel is out of reach is seen by those, too, to whom it was offered.
func (a *Control) CanSee(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	see, err := a.FreshViewer(r).Sees(ctx, t)
	if see || err != nil || r.Team != t.Owner.Team {
		return see, err
	}
	return a.wasOffered(ctx, r, t)
}

// Sees is [Control.CanSee] for one of many orders: it goes by what Slack has told this viewer
// already and, unless the viewer is a fresh one, by what Slack said a minute ago.
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

// Shows is [Viewer.Sees] for a search: an order of which nobody knows yet who sees it stays
// hidden, and the reason is kept in Err. Look there before saying that something was not found.
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
	ask := v.control.cfg.Slack.IsMember
	if v.fresh {
		ask = v.control.cfg.Slack.IsMemberNow
	}
	member, err := ask(ctx, channel, v.Request.User)
	if err != nil && unanswered(ctx, err) {
		return membership{}, err
	}
	if err != nil {
		v.control.cfg.Log.DebugContext(ctx, "members not told", "channel", channel, "err", err)
	}
	m := membership{member: member, told: err == nil}
	v.channels[channel] = m
	return m, nil
}

// Channels returns the ids of the channels that have orders and that the person is in, as far as
// Slack tells: private ones that the app is not in are missing.
func (v *Viewer) Channels(ctx context.Context) ([]string, error) {
	in, err := v.list(ctx)
	if err != nil || len(in) == 0 {
		return nil, err
	}
	owning, err := v.control.cfg.Orders.Channels(ctx, v.Request.Team)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(owning, func(channel string) bool { return !slices.Contains(in, channel) }), nil
}

// list reads all channels that the person is in, as far as Slack tells.
func (v *Viewer) list(ctx context.Context) ([]string, error) {
	v.listed = true
	in, err := v.control.cfg.Slack.UserChannels(ctx, v.Request.User)
	if err != nil && unanswered(ctx, err) {
		return nil, err
	}
	if err != nil {
		v.control.cfg.Log.WarnContext(ctx, "a person's channels are not told", "user", v.Request.User, "err", err)
		return nil, nil
	}
	for _, channel := range in {
		v.channels[channel] = membership{member: true, told: true}
	}
	return in, nil
}
