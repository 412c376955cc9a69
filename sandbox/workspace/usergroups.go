package workspace

import "slices"

// UserGroup is several people of the workspace under one name. Seeded members may be given by name.
type UserGroup struct {
	ID, Name, Handle string
	Members          []string
	Disabled         bool
}

// DefaultUserGroups are @photo-leads, Olga and Ben, and @interns, which is disabled.
func DefaultUserGroups() []UserGroup {
	return []UserGroup{
		{ID: "S0LEADS", Name: "Photo leads", Handle: "photo-leads", Members: []string{"olga", "ben"}},
		{ID: "S0INTERNS", Name: "Interns", Handle: "interns", Members: []string{"maria"}, Disabled: true},
	}
}

func groupMethods() map[string]method {
	read := []string{"usergroups:read"}
	return map[string]method{
		"usergroups.list":       {scopes: read, run: (*Workspace).groupList},
		"usergroups.users.list": {scopes: read, run: (*Workspace).groupUsers},
	}
}

// groupList is the method usergroups.list.
// Slack: docs.slack.dev/reference/methods/usergroups.list.
func (w *Workspace) groupList(c *call) (object, error) {
	groups := []object{}
	for _, g := range w.groups {
		if g.Disabled && !flag(c.args, "include_disabled") {
			continue
		}
		out := object{
			"id": g.ID, "team_id": w.o.TeamID, "is_usergroup": true, "is_subteam": true, "name": g.Name, "handle": g.Handle,
			"description": "", "is_external": false, "date_create": 1700000000, "date_update": 1700000000, "date_delete": 0,
			"auto_type": nil, "created_by": slackbot, "updated_by": slackbot, "deleted_by": nil,
			"prefs": object{"channels": []string{}, "groups": []string{}}, "user_count": len(g.Members),
		}
		setIf(out, "date_delete", 1700000001, g.Disabled)
		setIf(out, "users", g.Members, flag(c.args, "include_users"))
		groups = append(groups, out)
	}
	return object{"usergroups": groups}, nil
}

// groupUsers is the method usergroups.users.list.
// Slack: docs.slack.dev/reference/methods/usergroups.users.list.
func (w *Workspace) groupUsers(c *call) (object, error) {
	g := w.group(c.str("usergroup"))
	if g == nil || g.Disabled && !flag(c.args, "include_disabled") {
		return nil, fails("no_such_subteam")
	}
	return object{"users": append([]string{}, g.Members...)}, nil
}

// UserGroup finds a user group by id; the zero UserGroup: not found.
func (w *Workspace) UserGroup(id string) UserGroup {
	w.mu.Lock()
	defer w.mu.Unlock()
	if g := w.group(id); g != nil {
		copied := *g
		copied.Members = slices.Clone(g.Members)
		return copied
	}
	return UserGroup{}
}

func (w *Workspace) addGroup(g UserGroup) {
	members := make([]string, 0, len(g.Members))
	for _, m := range g.Members {
		if u := w.user(m); u != nil {
			members = append(members, u.ID)
		}
	}
	g.Members = members
	if known := w.group(g.ID); known != nil {
		*known = g
		return
	}
	w.groups = append(w.groups, &g)
}

func (w *Workspace) group(id string) *UserGroup {
	for _, g := range w.groups {
		if g.ID == id {
			return g
		}
	}
	return nil
}
