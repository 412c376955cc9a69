package workspace

import "maps"

// withoutFiles are the values of a view but for what was chosen in file fields.
func withoutFiles(values map[string]map[string]any) map[string]map[string]any {
	kept := map[string]map[string]any{}
	for block, actions := range values {
		others := maps.Clone(actions)
		maps.DeleteFunc(others, func(_ string, state any) bool {
			held, _ := state.(object)
			return str(held, "type") == "file_input"
		})
		kept[block] = others
	}
	return kept
}

// told is a view as block_actions tell of it.
func (w *Workspace) told(v *View) object {
	shown := *v
	if w.o.HideChosenFiles {
		shown.Values = withoutFiles(v.Values)
	}
	return w.wireView(&shown)
}

// refill gives an open view new content.
func (w *Workspace) refill(v *View, payload object) {
	if w.o.HideChosenFiles {
		v.Values = withoutFiles(v.Values)
	}
	w.fillView(v, payload)
}
