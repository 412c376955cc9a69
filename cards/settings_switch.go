package cards

import (
	"darkroom/store"

	"github.com/slack-go/slack"
)

// settingsSwitch is a part of the form that chooses between two: what a channel has that set nothing, and the other.
type settingsSwitch struct {
	field, label, hint string
	off, on            *slack.OptionBlockObject
	is                 func(settings *store.Settings) *bool
	says               string // once it is on
}

func (s settingsSwitch) part() settingsPart {
	return settingsPart{
		ask: func(p *builder, now store.Settings) {
			chosen := s.off.Value
			if *s.is(&now) {
				chosen = s.on.Value
			}
			p.radio(s.field, s.label, s.hint, chosen, s.off, s.on)
		},
		read: func(view slack.View, now *store.Settings) map[string]string {
			switch fieldOf(view, s.field).SelectedOption.Value {
			case s.off.Value:
				*s.is(now) = false
			case s.on.Value:
				*s.is(now) = true
			}
			return nil
		},
		says: func(now store.Settings) string { return onlyIf(*s.is(&now), s.says) },
	}
}
