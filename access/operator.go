package access

import (
	"context"
	"slices"

	"darkroom/bot"
)

// IsOperator reports whether the person may do what concerns the whole account: one of those
// named in [Config], or an admin or owner of our workspace when none are named. A guest, or whose
// account is switched off, is never one. On Grid is_admin speaks of the workspace that the account
// belongs to, which may be a sibling of ours: its admins are no operators here.
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
	return err == nil && ours && (user.IsAdmin || user.IsOwner || user.IsPrimaryOwner), err
}
