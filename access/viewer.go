package access

import (
	"context"
	"slices"

	"darkroom/bot"
	"darkroom/store"
)

// Viewer decides which of many orders one person may see. It asks Slack about each channel once.
// If there are many channels, it asks once for all channels of the person. Use one Viewer for one answer
// to one person, in one goroutine. [Control.Viewer] and [Control.FreshViewer] make one.
type Viewer struct {
	Request bot.Request // who asks, and where
	Err     error       // the first error for which [Viewer.Shows] hid an order

	control  *Control
	channels map[string]membership // Slack's answers so far
	fresh    bool                  // older answers do not count
	listed   bool                  // Slack was asked for all channels of the person
}

// fewChannels is how many channels are asked about one by one.
const fewChannels = 3

// membership is Slack's answer about a person and a channel. It is not known for channels that the
// app cannot see.
type membership struct{ member, known bool }

// Viewer returns a viewer for lists and searches. It accepts answers of Slack that are a minute old.
func (a *Control) Viewer(r bot.Request) *Viewer {
	return &Viewer{control: a, Request: r, channels: map[string]membership{}}
}

// FreshViewer returns a viewer that accepts no older answers, so that a person who has just left sees
// nothing. Each channel costs a request to Slack: use it for few channels.
func (a *Control) FreshViewer(r bot.Request) *Viewer {
	v := a.Viewer(r)
	v.fresh = true
	return v
}

// CanSee reports whether the person may see the order now. The present members of its channel may.
// Slack does not list the members of a private channel that the app is not in. Then the order's
// requester may see it, and a person who asks from within that channel. Nobody sees an order of
// another workspace. If the requester is gone and the channel unreachable, the people to whom the
// order was offered may see it, too.
func (a *Control) CanSee(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	see, err := a.FreshViewer(r).Sees(ctx, t)
	if see || err != nil || r.Team != t.Owner.Team {
		return see, err
	}
	return a.wasOffered(ctx, r, t)
}

// Sees is [Control.CanSee] for one of many orders. It reuses the answers that this viewer has and,
// unless the viewer is fresh, answers of Slack that are a minute old. Offers do not count.
func (v *Viewer) Sees(ctx context.Context, t store.Tracked) (bool, error) {
	if v.Request.Team != t.Owner.Team {
		return false, nil
	}
	m, err := v.membership(ctx, t.Owner.Channel)
	if err != nil {
		return false, err
	}
	if !m.known {
		return v.Request.Channel == t.Owner.Channel || v.Request.User == t.Owner.Requester, nil
	}
	return m.member, nil
}

// Shows is [Viewer.Sees] for a search. An error hides the order and is saved in Err. Check Err
// before reporting that nothing was found.
func (v *Viewer) Shows(ctx context.Context, t store.Tracked) bool {
	see, err := v.Sees(ctx, t)
	if v.Err == nil {
		v.Err = err
	}
	return see
}

func (v *Viewer) membership(ctx context.Context, channel string) (membership, error) {
	if m, asked := v.channels[channel]; asked {
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
	if unanswered(ctx, err) {
		return membership{}, err
	}
	if err != nil {
		v.control.cfg.Log.DebugContext(ctx, "members not told", "channel", channel, "err", err)
	}
	m := membership{member: member, known: err == nil}
	v.channels[channel] = m
	return m, nil
}

// Channels returns the ids of the person's channels that have orders. Private channels that the app
// is not in are missing: Slack does not list them.
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

// InAny reports whether the person is in any channel that the app can see.
func (v *Viewer) InAny(ctx context.Context) (bool, error) {
	in, err := v.list(ctx)
	return len(in) > 0, err
}

// list reads all channels that the person and the app can both see.
func (v *Viewer) list(ctx context.Context) ([]string, error) {
	v.listed = true
	in, err := v.control.cfg.Slack.UserChannels(ctx, v.Request.User)
	if unanswered(ctx, err) {
		return nil, err
	}
	if err != nil {
		v.control.cfg.Log.WarnContext(ctx, "a person's channels are not told", "user", v.Request.User, "err", err)
		return nil, nil
	}
	for _, channel := range in {
		v.channels[channel] = membership{member: true, known: true}
	}
	return in, nil
}
