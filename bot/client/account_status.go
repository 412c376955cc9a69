package client

import (
	"slices"

	"github.com/slack-go/slack"
)

// AccountStatus is a person's account status in the app's workspace.
type AccountStatus string

// The account statuses. The zero value is Unknown.
const (
	Unknown  AccountStatus = ""         // Slack's record does not decide it
	Member   AccountStatus = "member"   // a full member; on Grid of any workspace in the organisation
	Guest    AccountStatus = "guest"    // a single-channel or multi-channel guest
	External AccountStatus = "external" // a member of another organisation
	Former   AccountStatus = "former"   // a deactivated account
	App      AccountStatus = "app"      // a bot or workflow
)

// AccountStatus returns a person's account status. Only our workspace or Grid organisation makes somebody a
// member. is_stranger is false for everyone who shares a channel with the app, and team_id may be missing
// or name a sibling workspace. Sources: docs.slack.dev/apis/slack-connect; the threads of
// slack-morphism-rust#215 and bolt-js#1875.
func (i Identity) AccountStatus(u slack.User) AccountStatus {
	switch {
	case u.Deleted:
		return Former
	case u.IsBot || u.IsConnectorBot || u.IsWorkflowBot:
		return App
	case u.IsStranger:
		return External
	case i.Team == "", !i.ours(u) && u.TeamID == "" && u.Enterprise.EnterpriseID == "":
		return Unknown
	case !i.ours(u):
		return External
	case u.IsRestricted || u.IsUltraRestricted:
		return Guest
	}
	return Member
}

func (i Identity) ours(u slack.User) bool {
	return u.TeamID == i.Team || slices.Contains(u.Enterprise.Teams, i.Team) ||
		i.Enterprise != "" && u.Enterprise.EnterpriseID == i.Enterprise
}
