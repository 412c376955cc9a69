package page

import (
	"net/http"
	"slices"

	"darkroom/sandbox/workspace"
)

// slackCommands are those that Slack itself carries out.
var slackCommands = []Command{
	{Command: "/invite", Description: "Invite someone, or the app, to this channel", UsageHint: "@someone"},
	{Command: "/remove", Description: "Remove someone from this channel", UsageHint: "@someone"},
	{Command: "/join", Description: "Join a channel", UsageHint: "#channel"},
	{Command: "/leave", Description: "Leave this channel"},
	{Command: "/archive", Description: "Archive this channel"},
}

// commands are all there are, the app's first when it was added.
func (p *Page) commands() []Command {
	if p.ws.App().User == "" {
		return slackCommands
	}
	return slices.Concat(p.o.Commands, slackCommands)
}

// team is what does not depend on who looks.
func (p *Page) team(rw http.ResponseWriter, _ *http.Request) {
	app, users := p.ws.App(), []user{}
	for _, u := range p.ws.Users() {
		users = append(users, shapeUser(u))
	}
	shortcuts := []map[string]any{}
	for _, s := range p.shortcuts() {
		shortcuts = append(shortcuts, map[string]any{"name": s.Name, "callback": s.Callback, "message": s.Message})
	}
	answer(rw, http.StatusOK, map[string]any{
		"team":      p.ws.Team(),
		"app":       map[string]any{"id": app.ID, "name": app.Name, "user": app.User, "read_only": p.o.ReadOnly},
		"users":     users,
		"commands":  p.commands(),
		"shortcuts": shortcuts,
		"pictures":  p.service(),
		"now":       p.ws.Clock(),
	})
}

// shortcuts are the app's when it was added.
func (p *Page) shortcuts() []workspace.Shortcut {
	if p.ws.App().User == "" {
		return nil
	}
	return p.ws.Shortcuts()
}

// service is where the photo service's pictures are; the page shows those itself.
func (p *Page) service() string {
	if p.o.Photos == nil {
		return ""
	}
	return p.o.Photos.URL() + "/"
}
