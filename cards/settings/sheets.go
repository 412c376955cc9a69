package settings

import (
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldSheets = "contact-sheets"

// sheetsPart says which reviews get a contact sheet.
var sheetsPart = part{
	ask: func(p *kit.Page, now store.Settings) {
		p.Radio(fieldSheets, "Contact sheets", "Before and after, side by side, in one picture of each review.", string(now.Sheets),
			kit.Option(string(store.SheetsOff), "Off", ""),
			kit.Option(string(store.SheetsEvery), "Every round", "Originals and edits first, then the previous and the new edit."),
			kit.Option(string(store.SheetsLater), "Only later rounds", ""))
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		switch chosen := store.ContactSheets(kit.AnswerOf(view, fieldSheets).SelectedOption.Value); chosen {
		case store.SheetsOff:
			now.Sheets = "" // the default
		case store.SheetsEvery, store.SheetsLater:
			now.Sheets = chosen
		}
		return nil // other values: the form did not ask
	},
	confirm: func(now store.Settings) string {
		switch now.Sheets {
		case store.SheetsEvery:
			return "*Contact sheets*: every review shows before and after side by side, if the app may upload files (files:write)."
		case store.SheetsLater:
			return "*Contact sheets*: from round 2 on, every review shows the previous and the new edit side by side, if the app may upload files (files:write)."
		}
		return ""
	},
}
