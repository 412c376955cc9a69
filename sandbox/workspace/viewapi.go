package workspace

func viewMethods() map[string]method {
	check := (*Workspace).checkViewCall
	return map[string]method{
		"views.open":    {check: check, run: (*Workspace).openView},
		"views.push":    {check: check, run: (*Workspace).pushView},
		"views.update":  {check: check, run: (*Workspace).updateView},
		"views.publish": {check: check, run: (*Workspace).publishView},
	}
}

func (c *call) view() object {
	value, _, _ := c.json("view")
	view, _ := value.(object)
	return view
}

func (w *Workspace) checkViewCall(c *call) error {
	view := c.view()
	if view == nil {
		return invalid([]string{"[ERROR] missing required field: view [json-pointer:/view]"})
	}
	wanted := "modal"
	if c.method == "views.publish" {
		wanted = "home"
	}
	if kind := str(view, "type"); kind != wanted && c.method != "views.update" {
		return invalid([]string{"[ERROR] must be " + wanted + " [json-pointer:/view/type]"})
	}
	return w.checkView(view)
}

func (w *Workspace) openView(c *call) (object, error) {
	win, err := w.exchange(c)
	if err != nil {
		return nil, err
	}
	if w.externalTaken(str(c.view(), "external_id"), nil) {
		return nil, fails("duplicate_external_id")
	}
	return object{"view": w.wireView(w.show(win, c.view()))}, nil
}

func (w *Workspace) pushView(c *call) (object, error) {
	win, err := w.exchange(c)
	switch {
	case err != nil:
		return nil, err
	case len(win.stack) == 0:
		return nil, fails("not_found")
	case len(win.stack) >= maxStack:
		return nil, fails("push_limit_reached")
	case w.externalTaken(str(c.view(), "external_id"), nil):
		return nil, fails("duplicate_external_id")
	}
	return object{"view": w.wireView(w.push(win, c.view()))}, nil
}

func (w *Workspace) updateView(c *call) (object, error) {
	v := w.views[c.str("view_id")]
	if id := c.str("external_id"); v == nil && id != "" {
		for _, other := range w.views {
			if other.ExternalID == id {
				v = other
			}
		}
	}
	switch hash := c.str("hash"); {
	case v == nil:
		return nil, fails("not_found")
	case hash != "" && hash != v.Hash:
		return nil, fails("hash_conflict")
	case w.externalTaken(str(c.view(), "external_id"), v):
		return nil, fails("duplicate_external_id")
	case str(c.view(), "type") != v.Type:
		return nil, invalid([]string{"[ERROR] must be " + v.Type + " [json-pointer:/view/type]"})
	}
	w.refill(v, c.view())
	return object{"view": w.wireView(v)}, nil
}

func (w *Workspace) publishView(c *call) (object, error) {
	u := w.user(c.str("user_id"))
	if u == nil || u.Bot {
		return nil, invalid([]string{"[ERROR] user_id: invalid user"})
	}
	home := w.homes[u.ID]
	hash := c.str("hash")
	switch {
	case home != nil && hash != "" && hash != home.Hash:
		return nil, fails("hash_conflict")
	case w.externalTaken(str(c.view(), "external_id"), home):
		return nil, fails("duplicate_external_id")
	case home == nil:
		home = w.newView(c.view(), u.ID, nil)
		w.homes[u.ID] = home
	default:
		w.fillView(home, c.view())
	}
	return object{"view": w.wireView(home)}, nil
}
