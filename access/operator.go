package access

import (
	"context"
	"slices"

	"darkroom/bot"
)

// IsOperator reports whether the person may do what concerns the whole account: those
// the operator of this app named, else the workspace's admins; full members all. On Grid
// is_admin tells of the workspace that the account is of, which may be a sibling of ours.
func (a *Control) IsOperator(ctx context.Context, r bot.Request) (bool, error) {
	why, err := a.WhyNoMember(ctx, r.User)
	if err != nil || why != "" {
		return false, err
	}
	if len(a.operators) > 0 {
		return slices.Contains(a.operators, r.User), nil
	}
	user, err := a.slack.User(ctx, r.User)
	if err != nil {
		return false, err
	}
	me, err := a.slack.Identity(ctx)
	ours := user.TeamID == me.Team || user.TeamID == "" && slices.Contains(user.Enterprise.Teams, me.Team)
	return ours && (user.IsAdmin || user.IsOwner || user.IsPrimaryOwner), err
}
