package commands

import (
	"context"
	"errors"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// A person who may not see an order is answered as if it did not exist.
var errNotFound = errors.New("no such order")

// maySee reports whether the person may see the order now: the members of its channel may,
// and who has just left does not. Slack tells us members only of channels that the app is
// in. Of others we know that who stands in the channel while asking is in it, and who
// asked for the order may follow it.
func (c *Commands) maySee(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	return c.afresh(r).sees(ctx, t)
}

// sight is what one person may see, for questions about many orders: Slack is asked
// about each channel once, and when they are many, for all of the person's at once.
type sight struct {
	c        *Commands
	r        bot.Request
	channels map[string]membership
	fresh    bool  // what Slack said a minute ago does not count
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

// afresh is a sight for what somebody who has just left must not see or do.
func (c *Commands) afresh(r bot.Request) *sight {
	s := c.sight(r)
	s.fresh = true
	return s
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
	if len(s.channels) >= fewChannels && !s.listed && !s.fresh {
		if _, err := s.list(ctx); err != nil {
			return membership{}, err
		}
		return s.membership(ctx, channel)
	}
	ask := s.c.slack.IsMember
	if s.fresh {
		ask = s.c.slack.IsMemberNow
	}
	member, err := ask(ctx, channel, s.r.User)
	if err != nil && (outage(err) || bot.Mendable(err) || ctx.Err() != nil) {
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
	if err != nil && (outage(err) || bot.Mendable(err) || ctx.Err() != nil) {
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

// permit is what a person may do with one order.
type permit struct {
	sees bool
	why  cards.Why // for which they may not change it; "" = they may, when they see it
}

func (p permit) acts() bool { return p.sees && p.why == "" }

// mayAct tells whether the person may change the order now: guests and people from other
// organisations may only see.
func (c *Commands) mayAct(ctx context.Context, r bot.Request, t store.Tracked) (permit, error) {
	see, err := c.maySee(ctx, r, t)
	if err != nil || !see {
		return permit{}, err
	}
	why, err := c.whyNotAct(ctx, r.User)
	return permit{sees: true, why: why}, err
}

// mayApprove tells whether the person may close the order. A channel's approvers, when
// it names some, go here.
func (c *Commands) mayApprove(ctx context.Context, r bot.Request, t store.Tracked) (permit, error) {
	return c.mayAct(ctx, r, t)
}

// mayMove reports whether the person may hand the order to another channel: operators,
// and who asked for it, since that person is told when its channel is out of reach.
func (c *Commands) mayMove(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	p, err := c.mayAct(ctx, r, t)
	if err != nil || !p.acts() || r.User == t.Owner.Requester {
		return p.acts(), err
	}
	return c.isOperator(ctx, r)
}

// isOperator reports whether the person may do what concerns the whole account: those
// the operator of this app named, else the workspace's admins; full members all. On Grid
// is_admin tells of the workspace that the account is of, which may be a sibling of ours.
func (c *Commands) isOperator(ctx context.Context, r bot.Request) (bool, error) {
	why, err := c.whyOnlySee(ctx, r.User)
	if err != nil || why != "" {
		return false, err
	}
	if len(c.operators) > 0 {
		return slices.Contains(c.operators, r.User), nil
	}
	user, err := c.slack.User(ctx, r.User)
	if err != nil {
		return false, err
	}
	me, err := c.slack.Identity(ctx)
	ours := user.TeamID == me.Team || user.TeamID == "" && slices.Contains(user.Enterprise.Teams, me.Team)
	return ours && (user.IsAdmin || user.IsOwner || user.IsPrimaryOwner), err
}

// operatorsOnly is the answer to somebody who may not do what concerns the whole account; ok
// when they may.
func (c *Commands) operatorsOnly(ctx context.Context, r bot.Request, what string) (denied cards.Message, ok bool, err error) {
	why, err := c.whyNotAct(ctx, r.User)
	if err != nil {
		return cards.Message{}, false, err
	}
	if why != "" {
		return cards.Say(cards.CannotPost(standing(r), why)), false, nil
	}
	ok, err = c.isOperator(ctx, r)
	return cards.OperatorsOnly(what), ok, err
}

// whyOnlySee says why somebody may change no order, "" for a full member of ours. Whom Slack
// does not tell enough about may not either.
func (c *Commands) whyOnlySee(ctx context.Context, user string) (cards.Why, error) {
	return c.whyOnly(ctx, user, c.slack.User)
}

// whyNotAct is whyOnlySee as Slack has it at this moment, before a deed.
func (c *Commands) whyNotAct(ctx context.Context, user string) (cards.Why, error) {
	return c.whyOnly(ctx, user, c.slack.UserNow)
}

func (c *Commands) whyOnly(ctx context.Context, user string, ask func(context.Context, string) (slack.User, error)) (cards.Why, error) {
	me, err := c.slack.Identity(ctx)
	var who slack.User
	if err == nil {
		who, err = ask(ctx, user)
	}
	if err != nil && (outage(err) || bot.Mendable(err) || ctx.Err() != nil) {
		return "", err
	}
	if err != nil {
		c.log.WarnContext(ctx, "not told who somebody is", "user", user, "err", err)
		return cards.Unsure, nil
	}
	return map[bot.Standing]cards.Why{
		bot.Guest: cards.Guest, bot.External: cards.External, bot.Former: cards.NoPerson, bot.App: cards.NoPerson,
		bot.Unknown: cards.Unsure,
	}[me.Standing(who)], nil
}
