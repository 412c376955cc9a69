package bot_test

import (
	"testing"

	"darkroom/bot"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
)

func TestWhatSomebodyIsToUs(t *testing.T) {
	grid := func(enterprise string, teams ...string) slack.EnterpriseUser {
		return slack.EnterpriseUser{EnterpriseID: enterprise, Teams: teams}
	}
	us := bot.Identity{Team: "T1", Enterprise: "E1"}
	alone := bot.Identity{Team: "T1"}
	tests := map[string]struct {
		us   bot.Identity
		who  slack.User
		want bot.Standing
	}{
		"a member":                       {alone, slack.User{TeamID: "T1"}, bot.Member},
		"a guest":                        {alone, slack.User{TeamID: "T1", IsRestricted: true}, bot.Guest},
		"a guest of one channel":         {alone, slack.User{TeamID: "T1", IsRestricted: true, IsUltraRestricted: true}, bot.Guest},
		"a partner in our channel":       {alone, slack.User{TeamID: "T9"}, bot.External},
		"a partner, on Grid":             {us, slack.User{TeamID: "T9", Enterprise: grid("E9", "T9")}, bot.External},
		"a partner without a team":       {us, slack.User{Enterprise: grid("E9", "T9")}, bot.External},
		"another's Grid, we have none":   {alone, slack.User{Enterprise: grid("E9")}, bot.External},
		"a stranger":                     {alone, slack.User{TeamID: "T1", IsStranger: true}, bot.External},
		"nobody says":                    {us, slack.User{}, bot.Unknown},
		"nobody says who we are":         {bot.Identity{}, slack.User{TeamID: ""}, bot.Unknown},
		"we are nobody":                  {bot.Identity{}, slack.User{TeamID: "T1"}, bot.Unknown},
		"a colleague of a sibling":       {us, slack.User{TeamID: "T2", Enterprise: grid("E1", "T2")}, bot.Member},
		"a colleague of both":            {alone, slack.User{TeamID: "T2", Enterprise: grid("", "T2", "T1")}, bot.Member},
		"a colleague without a team":     {us, slack.User{Enterprise: grid("E1")}, bot.Member},
		"a sibling's guest":              {us, slack.User{TeamID: "T2", Enterprise: grid("E1", "T2"), IsRestricted: true}, bot.Guest},
		"an account that is off":         {alone, slack.User{TeamID: "T1", Deleted: true}, bot.Former},
		"an app":                         {alone, slack.User{TeamID: "T1", IsBot: true}, bot.App},
		"a workflow":                     {alone, slack.User{TeamID: "T1", IsWorkflowBot: true}, bot.App},
		"a connector":                    {alone, slack.User{TeamID: "T1", IsConnectorBot: true}, bot.App},
		"a person who has used the app":  {alone, slack.User{TeamID: "T1", IsAppUser: true}, bot.Member},
		"an admin of another's, a guest": {alone, slack.User{TeamID: "T9", IsAdmin: true, IsRestricted: true}, bot.External},
	}
	for name, c := range tests {
		assert.Equal(t, c.want, c.us.Standing(c.who), name)
	}
}
