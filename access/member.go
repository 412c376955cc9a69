package access

import (
	"context"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/order"
)

// WhyNoMember returns why the user may not change orders; "": they are a full member of ours. It returns
// [order.DeniedUnsure] if Slack refuses to identify the user. The answer may be some minutes old.
func (a *Control) WhyNoMember(ctx context.Context, user string) (order.Denial, error) {
	return a.denial(ctx, user, a.cfg.Slack.User)
}

// WhyNoMemberNow is [Control.WhyNoMember] with a fresh answer of Slack. Ask it before a change.
func (a *Control) WhyNoMemberNow(ctx context.Context, user string) (order.Denial, error) {
	return a.denial(ctx, user, a.cfg.Slack.UserNow)
}

// SeemsNoMember reports whether the app remembers that the user may not change orders. It does not ask
// Slack about the user, so the answer is a hint.
func (a *Control) SeemsNoMember(ctx context.Context, user string) bool {
	who, known := a.cfg.Slack.UserKnown(user)
	if !known {
		return false
	}
	me, err := a.cfg.Slack.Identity(ctx)
	return err == nil && denials[me.AccountStatus(who)] != ""
}

// denials maps an account status to the reason that it may not change orders.
var denials = map[client.AccountStatus]order.Denial{
	client.Guest: order.DeniedGuest, client.External: order.DeniedExternal, client.Former: order.DeniedNoPerson, client.App: order.DeniedNoPerson,
	client.Unknown: order.DeniedUnsure,
}

func (a *Control) denial(ctx context.Context, user string, ask func(context.Context, string) (slack.User, error)) (order.Denial, error) {
	me, err := a.cfg.Slack.Identity(ctx)
	var who slack.User
	if err == nil {
		who, err = ask(ctx, user)
	}
	if unanswered(ctx, err) {
		return "", err
	}
	if err != nil {
		a.cfg.Log.WarnContext(ctx, "not told who somebody is", "user", user, "err", err)
		return order.DeniedUnsure, nil
	}
	return denials[me.AccountStatus(who)], nil
}

// IsOperatorNow is [Control.IsOperator] for a user who is a full member now. Ask it before a change.
func (a *Control) IsOperatorNow(ctx context.Context, r bot.Request) (bool, error) {
	why, err := a.WhyNoMemberNow(ctx, r.User)
	if err != nil || why != "" {
		return false, err
	}
	return a.IsOperator(ctx, r)
}

// Operators returns the user ids of the named operators; empty: the workspace's admins are the operators.
func (a *Control) Operators() []string { return slices.Clone(a.cfg.Operators) }

// IsOperator reports whether the person may act on the whole account. [Config] names the operators; if it
// names nobody, the admins and owners of our workspace are operators. Guests and deactivated accounts never are.
// On Grid, is_admin is about the account's own workspace, so admins of sibling workspaces are not operators here.
// A yes may be some minutes old. A no is fresh: people who were just made admins try again at once.
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

// operates is [Control.IsOperator] by the answer of ask, if the user is named or nobody is.
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
