package client_test

import (
	"testing"

	"darkroom/bot/client"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
)

func TestWhatSomebodyIsToUs(t *testing.T) {
	grid := func(enterprise string, teams ...string) slack.EnterpriseUser {
		return slack.EnterpriseUser{EnterpriseID: enterprise, Teams: teams}
	}
	us := client.Identity{Team: "T1", Enterprise: "E1"}
	alone := client.Identity{Team: "T1"}
	tests := map[string]struct {
		us   client.Identity
		who  slack.User
		want client.AccountStatus
	}{
		"a member":                       {alone, slack.User{TeamID: "T1"}, client.Member},
		"a guest":                        {alone, slack.User{TeamID: "T1", IsRestricted: true}, client.Guest},
		"a guest of one channel":         {alone, slack.User{TeamID: "T1", IsRestricted: true, IsUltraRestricted: true}, client.Guest},
		"a partner in our channel":       {alone, slack.User{TeamID: "T9"}, client.External},
		"a partner, on Grid":             {us, slack.User{TeamID: "T9", Enterprise: grid("E9", "T9")}, client.External},
		"a partner without a team":       {us, slack.User{Enterprise: grid("E9", "T9")}, client.External},
		"another's Grid, we have none":   {alone, slack.User{Enterprise: grid("E9")}, client.External},
		"a stranger":                     {alone, slack.User{TeamID: "T1", IsStranger: true}, client.External},
		"nobody says":                    {us, slack.User{}, client.Unknown},
		"nobody says who we are":         {client.Identity{}, slack.User{TeamID: ""}, client.Unknown},
		"we are nobody":                  {client.Identity{}, slack.User{TeamID: "T1"}, client.Unknown},
		"a colleague of a sibling":       {us, slack.User{TeamID: "T2", Enterprise: grid("E1", "T2")}, client.Member},
		"a colleague of both":            {alone, slack.User{TeamID: "T2", Enterprise: grid("", "T2", "T1")}, client.Member},
		"a colleague without a team":     {us, slack.User{Enterprise: grid("E1")}, client.Member},
		"a sibling's guest":              {us, slack.User{TeamID: "T2", Enterprise: grid("E1", "T2"), IsRestricted: true}, client.Guest},
		"an account that is off":         {alone, slack.User{TeamID: "T1", Deleted: true}, client.Former},
		"an app":                         {alone, slack.User{TeamID: "T1", IsBot: true}, client.App},
		"a workflow":                     {alone, slack.User{TeamID: "T1", IsWorkflowBot: true}, client.App},
		"a connector":                    {alone, slack.User{TeamID: "T1", IsConnectorBot: true}, client.App},
		"a person who has used the app":  {alone, slack.User{TeamID: "T1", IsAppUser: true}, client.Member},
		"an admin of another's, a guest": {alone, slack.User{TeamID: "T9", IsAdmin: true, IsRestricted: true}, client.External},
	}
	for name, c := range tests {
		assert.Equal(t, c.want, c.us.AccountStatus(c.who), name)
	}
}
