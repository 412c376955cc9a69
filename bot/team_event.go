package bot

import (
	"darkroom/bot/lenient"
)

// Teams returns the workspaces of a team_access_granted or team_access_revoked event.
func (q Request) Teams() []string {
	var event struct {
		Teams []lenient.String `json:"team_ids"`
	}
	return eventList(q.Event, &event, &event.Teams)
}

// RevokedBots returns the bot users in a tokens_revoked event. It is empty if only people's tokens were
// revoked.
func (q Request) RevokedBots() []string {
	var event struct {
		Tokens struct {
			Bots []lenient.String `json:"bot"`
		} `json:"tokens"`
	}
	return eventList(q.Event, &event, &event.Tokens.Bots)
}

// eventList decodes an event and returns the non-empty elements of a list in it.
func eventList(raw []byte, event any, list *[]lenient.String) (all []string) {
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
