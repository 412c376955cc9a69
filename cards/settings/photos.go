package settings

import (
	"darkroom/cards/kit"
	"darkroom/cards/requirements"

	"github.com/slack-go/slack"
)

// photoSettings say what delivered photos must be. The first of them speaks for all in the overview.
func photoSettings() (all []setting) {
	for i, field := range requirements.Fields() {
		all = append(all, setting{
			ask:  func(p *kit.Page, now Values) { field.Ask(p, now.Requires) },
			read: func(view slack.View, now *Values) map[string]string { return field.Read(view, &now.Requires) },
			says: func(now Values) string {
				return kit.OnlyIf(i == 0, kit.Either(now.Requires.Nothing(), "No rules for size, format or color.", requirements.Says(now.Requires)))
			},
		})
	}
	return all
}
