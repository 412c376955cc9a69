package batch

import (
	"cmp"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/store"
)

// resultByState maps an order's state to its result in the file.
var resultByState = map[store.DraftState]string{
	store.DraftPlaced: "placed", store.DraftRefused: "not placed", store.DraftUnknown: "not known", store.DraftDiscarded: "discarded",
}

// resultOf returns an order's result.
func resultOf(d store.Draft) string {
	if d.IsHeld() {
		return "waits for an approver"
	}
	return cmp.Or(resultByState[d.State], "on its way")
}

// CSV returns each order's result as a file for spreadsheets; see [kit.CsvFile].
func CSV(s Progress) []byte {
	lines := [][]string{{"line", "name", "images", "result", "order id", "reference", "card", "reason"}}
	at := 0
	for _, r := range s.Batch.Rows {
		for range r.Parts() {
			if at == len(s.Drafts) {
				break
			}
			d := s.Drafts[at]
			at++
			lines = append(lines, []string{
				strconv.Itoa(r.Line), d.ProjectName, strconv.Itoa(len(d.Images()) - len(d.Each)), resultOf(d),
				d.OrderID, d.Reference, s.Links[d.ID], whyNotPlaced(d, s.Hides),
			})
		}
	}
	return kit.CsvFile(lines)
}

// FileName returns the result file's name.
func FileName(s Progress) string {
	return kit.Clip(strings.TrimSuffix(kit.OneLine(s.Batch.Name), ".csv"), 80) + "-result.csv"
}

// Texts about the result file.
const (
	FileComment  = "The result of each order."
	FileAgain    = "The result of each order, as of now. This file takes the place of the one before."
	fileSent     = "The result of every row is in a file in this chat."
	FileUnsent   = "I could not send the file with the results. Each placed order has its card in the channel."
	FileUnsure   = "Slack did not say whether the file with the results arrived. Each placed order has its card in the channel."
	FileNoRights = "I need the permission files:write to send a file with the results. Ask your Darkroom admin."
)

// WithFile adds that the result file was sent.
func (s Progress) WithFile() Progress {
	s.File = fileSent
	return s
}
