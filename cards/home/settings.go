package home

import (
	"darkroom/cards/kit"
	"darkroom/cards/settings"
)

// addSettings adds the way to a channel's settings.
func addSettings(p *kit.Page, h View) {
	if h.acts() {
		p.Buttons(kit.Button("Channel Settings", settings.ActionSettings, "open"))
	}
}
