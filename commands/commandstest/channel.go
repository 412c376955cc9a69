package commandstest

import (
	"fmt"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
)

// Channel is a channel with its own members.
type Channel struct {
	Private, archived bool
	away              bool // without the app
	Mute              bool // Slack times out
	Shared            bool // shared with other organisations
	Members           []string
	Refuses           error // Slack's error in place of the members
}

func (r Channel) isMember(user string) (bool, error) {
	switch {
	case r.Refuses != nil:
		return false, fmt.Errorf("conversations.members: %w", r.Refuses)
	case r.Mute:
		return false, fmt.Errorf("conversations.members: %w", client.ErrTryLater)
	case r.away && r.Private:
		return false, fmt.Errorf("conversations.members: %w", client.ErrNoChannel)
	}
	return slices.Contains(r.Members, user), nil
}

func (r Channel) info(id string) (slack.Channel, error) {
	if r.away && r.Private {
		return slack.Channel{}, fmt.Errorf("conversations.info: %w", client.ErrNoChannel)
	}
	var c slack.Channel
	c.ID, c.IsPrivate, c.IsArchived, c.IsMember = id, r.Private, r.archived, !r.away
	c.IsExtShared = r.Shared
	return c, nil
}

// channelsOf returns the channels of users.conversations: those that the app can see.
func (s *Screen) channelsOf(user string) []string {
	var in []string
	for id, c := range s.Channels {
		if (!c.away || !c.Private) && slices.Contains(c.Members, user) {
			in = append(in, id)
		}
	}
	return in
}

// SetUpWorkspace sets up the channels C1 with everybody, the private CWEDDING of maria and boss, the public CPUBLIC, the
// archived CATTIC, and CAWAY without the app.
func (r *Rig) SetUpWorkspace() {
	all := []string{"maria", "tom", "boss", "ines"}
	r.Screen.Channels = map[string]Channel{
		"C1":       {Members: all},
		"CWEDDING": {Private: true, Members: []string{"maria", "boss"}},
		"CPUBLIC":  {Members: all},
		"CATTIC":   {archived: true, Members: all},
		"CAWAY":    {Private: true, away: true, Members: all},
	}
	r.Screen.Guests = map[string]bool{"ines": true}
	r.Screen.admins = map[string]bool{"boss": true, "chief": true}
}
