package access

import (
	"context"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/order"
)

// WhyNoMember says why somebody may change no order at all, or "" when they are a full member of
// ours. Of whom Slack does not tell who they are, [order.DeniedUnsure]. The answer may be some
// minutes old.
func (a *Control) WhyNoMember(ctx context.Context, user string) (order.Denial, error) {
	return a.denial(ctx, user, a.slack.User)
}

// WhyNoMemberNow is [Control.WhyNoMember] as Slack has it at this moment. It is for whatever
// changes something.
func (a *Control) WhyNoMemberNow(ctx context.Context, user string) (order.Denial, error) {
	return a.denial(ctx, user, a.slack.UserNow)
}

func (a *Control) denial(ctx context.Context, user string, ask func(context.Context, string) (slack.User, error)) (order.Denial, error) {
	me, err := a.slack.Identity(ctx)
	var who slack.User
	if err == nil {
		who, err = ask(ctx, user)
	}
	if err != nil && unanswered(ctx, err) {
		return "", err
	}
	if err != nil {
		a.log.WarnContext(ctx, "not told who somebody is", "user", user, "err", err)
		return order.DeniedUnsure, nil
	}
	return map[bot.Standing]order.Denial{
		bot.Guest: order.DeniedGuest, bot.External: order.DeniedExternal, bot.Former: order.DeniedNoPerson, bot.App: order.DeniedNoPerson,
		bot.Unknown: order.DeniedUnsure,
	}[me.Standing(who)], nil
}
