package bot

import (
	"darkroom/bot/lenient"
)

// Teams are the workspaces that news of an organisation's installation is about: team_access_granted and
// team_access_revoked.
func (q Request) Teams() []string {
	var event struct {
		Teams []lenient.String `json:"team_ids"`
	}
	return texts(q.Event, &event, &event.Teams)
}

// RevokedBots are the bot users whose tokens were revoked: tokens_revoked, which may be about people's alone.
func (q Request) RevokedBots() []string {
	var event struct {
		Tokens struct {
			Bots []lenient.String `json:"bot"`
		} `json:"tokens"`
	}
	return texts(q.Event, &event, &event.Tokens.Bots)
}

// texts reads an event, and returns the texts of a list in it.
func texts(raw []byte, event any, list *[]lenient.String) (all []string) {
	if len(raw) == 0 || lenient.Decode(raw, event) != nil {
		return nil
	}
	for _, text := range *list {
		if text != "" {
			all = append(all, string(text))
		}
	}
	return all
}
