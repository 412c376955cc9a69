package workspace

import "slices"

func peopleMethods() map[string]method {
	return map[string]method{
		"auth.test":     {run: (*Workspace).authTest},
		"users.info":    {scopes: []string{"users:read"}, run: (*Workspace).userInfo},
		"users.list":    {scopes: []string{"users:read"}, run: (*Workspace).userList},
		"reactions.add": {scopes: []string{"reactions:write"}, run: (*Workspace).addReaction},
	}
}

func (w *Workspace) authTest(*call) (object, error) {
	out := object{
		"url": "https://" + w.o.TeamDomain + ".slack.com/", "team": title(w.o.TeamDomain), "user": w.o.BotName,
		"team_id": w.o.TeamID, "user_id": w.o.BotUserID, "bot_id": w.o.BotID, "is_enterprise_install": w.orgWide,
	}
	setIf(out, "enterprise_id", w.o.Enterprise, w.o.Enterprise != "")
	return out, nil
}

func (w *Workspace) userInfo(c *call) (object, error) {
	for _, u := range w.users {
		if u.ID == c.str("user") {
			return object{"user": w.wireUser(u)}, nil
		}
	}
	return nil, fails("user_not_found")
}

func (w *Workspace) userList(c *call) (object, error) {
	page, next := paged(w.users, c.str("cursor"), c.limit(200, 1000))
	var members []object
	for _, u := range page {
		members = append(members, w.wireUser(u))
	}
	return object{"members": members, "response_metadata": object{"next_cursor": next}}, nil
}

// reacted is the message a reaction is for.
func (w *Workspace) reacted(c *call) (*Message, error) {
	channel, err := w.place(c.str("channel"))
	if err != nil {
		return nil, err
	}
	m := w.message(channel.ID, c.str("timestamp"))
	switch {
	case m == nil:
		return nil, fails("message_not_found")
	case c.str("name") == "":
		return nil, fails("invalid_name")
	}
	return m, nil
}

func (w *Workspace) addReaction(c *call) (object, error) {
	m, err := w.reacted(c)
	if err != nil {
		return nil, err
	}
	if !m.react(c.str("name"), w.o.BotUserID) {
		return nil, fails("already_reacted")
	}
	return nil, nil
}

// react adds a person's emoji; false when it is there already.
func (m *Message) react(name, user string) bool {
	for i, r := range m.Reactions {
		if r.Name != name {
			continue
		}
		if slices.Contains(r.Users, user) {
			return false
		}
		m.Reactions[i].Users = append(slices.Clone(r.Users), user)
		return true
	}
	m.Reactions = append(slices.Clone(m.Reactions), Reaction{Name: name, Users: []string{user}})
	return true
}
