package client

import (
	"slices"

	"github.com/slack-go/slack"
)

// Standing is what somebody is to the workspace that the app is installed in.
type Standing string

// The standings. The zero value is Unknown.
const (
	Unknown  Standing = ""         // Slack does not tell enough
	Member   Standing = "member"   // a full member; on Grid, of any workspace of the organisation
	Guest    Standing = "guest"    // of one channel or several
	External Standing = "external" // of another organisation
	Former   Standing = "former"   // the account is switched off
	App      Standing = "app"      // no person
)

// Standing judges a person by who we are. Only a workspace, or a Grid organisation, that is
// named as ours makes somebody one of us: is_stranger is false for all who share a channel
// with the app, whoever they are, and team_id may be missing or name a sibling workspace.
// Sources: docs.slack.dev/apis/slack-connect; the threads of slack-morphism-rust#215 and
// bolt-js#1875.
func (i Identity) Standing(u slack.User) Standing {
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
