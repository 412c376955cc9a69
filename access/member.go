package access

import (
	"context"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/order"
)

// WhyNoMember says why somebody may change no order at all, or "" when they are a full member of
// ours. Of whom Slack does not tell who they are, [order.DeniedUnsure]. The answer may be some
// minutes old.
func (a *Control) WhyNoMember(ctx context.Context, user string) (order.Denial, error) {
	return a.denial(ctx, user, a.cfg.Slack.User)
}

// WhyNoMemberNow is [Control.WhyNoMember] as Slack has it at this moment. It is for whatever
// changes something.
func (a *Control) WhyNoMemberNow(ctx context.Context, user string) (order.Denial, error) {
	return a.denial(ctx, user, a.cfg.Slack.UserNow)
}

// SeemsNoMember reports whether the app remembers, without asking Slack about the person, that they are
// none who may change orders. It is a hint: they may have become one since.
func (a *Control) SeemsNoMember(ctx context.Context, user string) bool {
	who, known := a.cfg.Slack.UserKnown(user)
	if !known {
		return false
	}
	me, err := a.cfg.Slack.Identity(ctx)
	return err == nil && denials[me.Standing(who)] != ""
}

// denials say why whom may change no order.
var denials = map[client.Standing]order.Denial{
	client.Guest: order.DeniedGuest, client.External: order.DeniedExternal, client.Former: order.DeniedNoPerson, client.App: order.DeniedNoPerson,
	client.Unknown: order.DeniedUnsure,
}

func (a *Control) denial(ctx context.Context, user string, ask func(context.Context, string) (slack.User, error)) (order.Denial, error) {
	me, err := a.cfg.Slack.Identity(ctx)
	var who slack.User
	if err == nil {
		who, err = ask(ctx, user)
	}
	if err != nil && unanswered(ctx, err) {
		return "", err
	}
	if err != nil {
		a.cfg.Log.WarnContext(ctx, "not told who somebody is", "user", user, "err", err)
		return order.DeniedUnsure, nil
	}
	return denials[me.Standing(who)], nil
}

// IsOperatorNow is [Control.IsOperator] as Slack has it at this moment. It is for whatever changes
// something.
func (a *Control) IsOperatorNow(ctx context.Context, r bot.Request) (bool, error) {
	why, err := a.WhyNoMemberNow(ctx, r.User)
	if err != nil || why != "" {
		return false, err
	}
	return a.IsOperator(ctx, r)
}

// Operators are the user ids of those who are named as operators; none where the admins are.
func (a *Control) Operators() []string { return slices.Clone(a.cfg.Operators) }

// IsOperator reports whether the person may do what concerns the whole account: one of those
// named in [Config], or an admin or owner of our workspace when none are named. A guest, or whose
// account is switched off, is never one. On Grid is_admin speaks of the workspace that the account
// belongs to, which may be a sibling of ours: its admins are no operators here. A yes may be some minutes old,
// a no is not: people are made admins and come back at once.
func (a *Control) IsOperator(ctx context.Context, r bot.Request) (bool, error) {
	named := a.cfg.Operators
	if len(named) > 0 && !slices.Contains(named, r.User) {
		return false, nil
	}
	is, err := a.operates(ctx, r.User, a.cfg.Slack.User)
	if is || err != nil {
		return is, err
	}
	is, err = a.operates(ctx, r.User, a.cfg.Slack.UserLately)
	if err != nil {
		a.cfg.Log.InfoContext(ctx, "not told whether somebody is an operator by now", "user", r.User, "err", err)
	}
	return is, nil
}

// operates is [Control.IsOperator] of somebody who is named, or where nobody is, by what ask says of them.
func (a *Control) operates(ctx context.Context, user string, ask func(context.Context, string) (slack.User, error)) (bool, error) {
	why, err := a.denial(ctx, user, ask)
	if err != nil || why != "" {
		return false, err
	}
	if len(a.cfg.Operators) > 0 {
		return true, nil
	}
	who, err := ask(ctx, user)
	if err != nil {
		return false, err
	}
	me, err := a.cfg.Slack.Identity(ctx)
	ours := who.TeamID == me.Team || who.TeamID == "" && slices.Contains(who.Enterprise.Teams, me.Team)
	return err == nil && ours && (who.IsAdmin || who.IsOwner || who.IsPrimaryOwner), err
}
