package commands

import (
	"context"
	"errors"
	"slices"

	"darkroom/bot"
	"darkroom/store"
)

// A person who may not see an order is answered as if it did not exist.
var errNotFound = errors.New("no such order")

// maySee reports whether the person may see the order: the members of its channel may.
// Slack tells us members only of channels that the app is in. Of others we know that who
// stands in the channel while asking is in it, and who asked for the order may follow it.
func (c *Commands) maySee(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	return c.sight(r).sees(ctx, t)
}

// sight is what one person may see, for questions about many orders: Slack is asked
// about each channel once, and when they are many, for all of the person's at once.
type sight struct {
	c        *Commands
	r        bot.Request
	channels map[string]membership
	listed   bool  // Slack was asked for all channels of the person
	err      error // the first outage met by shows
}

// fewChannels are asked about one by one.
const fewChannels = 3

// membership is what Slack says about a person and a channel.
type membership struct{ member, told bool }

func (c *Commands) sight(r bot.Request) *sight {
	return &sight{c: c, r: r, channels: map[string]membership{}}
}

// sees is maySee.
func (s *sight) sees(ctx context.Context, t store.Tracked) (bool, error) {
	if s.r.Team != t.Owner.Team {
		return false, nil
	}
	m, err := s.membership(ctx, t.Owner.Channel)
	if err != nil {
		return false, err
	}
	if !m.told {
		return s.r.Channel == t.Owner.Channel || s.r.User == t.Owner.Requester, nil
	}
	return m.member, nil
}

// shows is sees for a search: an order of which it is not known stays hidden, and the
// reason is kept.
func (s *sight) shows(ctx context.Context, t store.Tracked) bool {
	see, err := s.sees(ctx, t)
	if s.err == nil {
		s.err = err
	}
	return see
}

func (s *sight) membership(ctx context.Context, channel string) (membership, error) {
	if m, known := s.channels[channel]; known {
		return m, nil
	}
	if len(s.channels) >= fewChannels && !s.listed {
		if _, err := s.list(ctx); err != nil {
			return membership{}, err
		}
		return s.membership(ctx, channel)
	}
	member, err := s.c.slack.IsMember(ctx, channel, s.r.User)
	if err != nil && (outage(err) || ctx.Err() != nil) {
		return membership{}, err
	}
	if err != nil {
		s.c.log.DebugContext(ctx, "members not told", "channel", channel, "err", err)
	}
	m := membership{member: member, told: err == nil}
	s.channels[channel] = m
	return m, nil
}

// theirs are the channels with orders that the person is in, as far as Slack tells.
func (s *sight) theirs(ctx context.Context) ([]string, error) {
	in, err := s.list(ctx)
	if err != nil || len(in) == 0 {
		return nil, err
	}
	owning, err := s.c.store.Channels(ctx, s.r.Team)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(owning, func(channel string) bool { return !slices.Contains(in, channel) }), nil
}

// list reads all channels that the person is in, as far as Slack tells.
func (s *sight) list(ctx context.Context) ([]string, error) {
	s.listed = true
	in, err := s.c.slack.UserChannels(ctx, s.r.User)
	if err != nil && (outage(err) || ctx.Err() != nil) {
		return nil, err
	}
	if err != nil {
		s.c.log.WarnContext(ctx, "a person's channels are not told", "user", s.r.User, "err", err)
		return nil, nil
	}
	for _, channel := range in {
		s.channels[channel] = membership{member: true, told: true}
	}
	return in, nil
}

// mayAct reports whether the person may also change the order: guests and people from
// other organisations may only see.
func (c *Commands) mayAct(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	see, err := c.maySee(ctx, r, t)
	if err != nil || !see {
		return false, err
	}
	return c.isHost(ctx, r)
}

// mayApprove reports whether the person may close the order. A channel's approvers, when
// it names some, go here.
func (c *Commands) mayApprove(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	return c.mayAct(ctx, r, t)
}

// mayMove reports whether the person may hand the order to another channel: operators,
// and who asked for it, since that person is told when its channel is out of reach.
func (c *Commands) mayMove(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	act, err := c.mayAct(ctx, r, t)
	if err != nil || !act || r.User == t.Owner.Requester {
		return act, err
	}
	return c.isOperator(ctx, r)
}

// isOperator reports whether the person may do what concerns the whole account: those
// the operator of this app named, else the workspace's admins.
func (c *Commands) isOperator(ctx context.Context, r bot.Request) (bool, error) {
	if len(c.operators) > 0 {
		return slices.Contains(c.operators, r.User), nil
	}
	user, err := c.slack.User(ctx, r.User)
	if err != nil {
		return false, err
	}
	host, err := c.isHost(ctx, r)
	return host && (user.IsAdmin || user.IsOwner || user.IsPrimaryOwner), err
}

// isHost reports whether the person is a full member of this workspace.
func (c *Commands) isHost(ctx context.Context, r bot.Request) (bool, error) {
	user, err := c.slack.User(ctx, r.User)
	if err != nil {
		return false, err
	}
	guest := user.IsRestricted || user.IsUltraRestricted || user.IsStranger
	return !guest && (user.TeamID == "" || user.TeamID == r.Team), nil
}
