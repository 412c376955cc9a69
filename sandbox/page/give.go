package page

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"darkroom/sandbox/workspace"
)

// Slack: docs.slack.dev/reference/block-kit/block-elements/file-input-element.
const (
	maxInput      = 10       // files of a field that does not say
	maxInputBytes = 10 << 20 // of one file
)

// give adds staged files to a file field of the open modal, within Slack's limits.
func (p *Page) give(s *seat, d deed) (any, error) {
	element, held := fileField(s.win.Stack(), d.Target)
	if element == nil {
		return nil, workspace.ErrGone
	}
	files, err := p.staged(s, d.Files)
	if err != nil {
		return nil, err
	}
	if err := fits(element, len(held), files); err != nil {
		return nil, err
	}
	given, _ := workspace.ValueIn(s.win.Give(files...)).([]any)
	state := workspace.StateOf("file_input", append(slices.Clone(held), given...))
	if err := s.win.Act(d.Target.wired(), state, workspace.Once); err != nil {
		return nil, err
	}
	p.unstage(d.Files)
	return nil, nil
}

// fileField is the file input the target names, and the files in it; nil: not found.
func fileField(stack []workspace.View, t target) (element map[string]any, held []any) {
	for _, v := range stack {
		for _, b := range workspace.Every(v.Blocks) {
			for _, e := range workspace.Elements(b) {
				if v.ID == t.View && b["block_id"] == t.Block && e["action_id"] == t.Action && e["type"] == "file_input" {
					state, _ := v.Values[t.Block][t.Action].(map[string]any)
					held, _ = workspace.ValueIn(state).([]any)
					return e, held
				}
			}
		}
	}
	return nil, nil
}

// fits tells in Slack's place why files cannot go into the field.
func fits(element map[string]any, held int, files []workspace.Upload) error {
	most := maxInput
	if n, limited := element["max_files"].(float64); limited {
		most = int(n)
	}
	if held+len(files) > most {
		return tooMuch("This field takes at most %d files.", most)
	}
	kinds, _ := element["filetypes"].([]any)
	for _, f := range files {
		kind := strings.ToLower(strings.TrimPrefix(path.Ext(f.Name), "."))
		if len(kinds) > 0 && !slices.Contains(kinds, any(kind)) {
			return fmt.Errorf("this field does not take files like %s", f.Name)
		}
		if len(f.Content) > maxInputBytes {
			return tooMuch("A file here may have at most %d MB, and %s has more.", maxInputBytes>>20, f.Name)
		}
	}
	return nil
}
