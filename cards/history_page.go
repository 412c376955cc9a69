package cards

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// TitleHistory is the title of the window with an order's whole history.
const TitleHistory = "History"

// Limits of a history page.
const (
	historyEvents   = 12   // events
	historyPageRoom = 7000 // bytes
	historyQuote    = 2500 // characters of one event's text
	historyRequests = 3000 // bytes of one event's instructions for single images
)

// History returns a page of all events, with actor, time and round. Page 0 has the newest events; on each page
// the newest is last.
func History(t store.Tracked, events []order.Event, page int) kit.Message {
	return addHistoryPage(new(kit.Page), t, events, page).Message()
}

// HistoryWindow is [History] as a modal.
func HistoryWindow(t store.Tracked, events []order.Event, page int, externalID string) slack.ModalViewRequest {
	return addHistoryPage(&kit.Page{Wide: true}, t, events, page).Modal(TitleHistory, externalID, MetaOf(t))
}

func addHistoryPage(p *kit.Page, t store.Tracked, events []order.Event, page int) *kit.Page {
	pages := historyPages(t, events)
	page = max(min(page, len(pages)-1), 0)
	p.Say("*History of " + Project(t) + "*\n" + kit.Dots(status(t), kit.Count(len(events), "event", "events"),
		kit.OnlyIf(len(pages) > 1, "page "+strconv.Itoa(page+1)+" of "+strconv.Itoa(len(pages))+", newest first")))
	if len(pages) == 0 {
		return p.Say("Nothing is known of what happened to it.")
	}
	for _, lines := range pages[page] {
		p.Rows(lines...)
	}
	p.Note(kit.OnlyIf(t.Shrunk && page == len(pages)-1, "This order ended a while ago: of its events I keep how their words begin. The order's thread has them all."))
	newer, older := "", ""
	if page > 0 {
		newer = Value(t.ID, page-1)
	}
	if page < len(pages)-1 {
		older = Value(t.ID, page+1)
	}
	return p.Paging(ActionHistory, newer, older)
}

// historyPages returns the events as lines, page by page, newest page first.
func historyPages(t store.Tracked, events []order.Event) [][][]string {
	var pages [][][]string
	var page [][]string
	room := 0
	for _, e := range slices.Backward(events) {
		lines := historyEvent(t, e)
		size := kit.BytesOf(lines)
		if len(page) > 0 && (len(page) == historyEvents || room+size > historyPageRoom) {
			pages, page, room = append(pages, page), nil, 0
		}
		page, room = append([][]string{lines}, page...), room+size
	}
	if len(page) > 0 {
		pages = append(pages, page)
	}
	return pages
}

// historyEvent returns one event in full.
func historyEvent(t store.Tracked, e order.Event) []string {
	name := cmp.Or(eventReplies()[e.Kind].Name, kit.Inline(string(e.Kind), 80))
	lines := []string{kit.Dots("*"+name+"*"+kit.Prefixed(" by ", kit.Mention(e.Actor)), kit.WhenKnown(e.At), roundOf(e))}
	words := e.Words
	if e.Kind == order.EventPlaced && t.Brief != nil {
		words = t.Brief.Instructions
	}
	if b := t.Brief; e.Kind == order.EventPlaced && b != nil {
		if who := allowed(*b); who != "" {
			lines = append(lines, who)
		}
	}
	lines = append(lines, kit.Quotation(strings.Join(words, "\n"), historyQuote)...)
	requests := requestsIn(e, t.Order.EditedImages)
	for i, request := range requests {
		if kit.BytesOf(lines)+len(request) > historyRequests+historyQuote {
			return append(lines, "◦ "+kit.Count(len(requests)-i, "more image", "more images")+": the order's thread has them.")
		}
		lines = append(lines, "◦ "+request)
	}
	return lines
}

// roundOf returns the round of a delivery, a request for changes or a message, else "".
func roundOf(e order.Event) string {
	if e.Revision != nil {
		return Round(*e.Revision)
	}
	if e.Kind != order.EventReady && e.Kind != order.EventChanges {
		return ""
	}
	_, after, found := strings.Cut(e.ID, ":r")
	number, _, _ := strings.Cut(after, ":")
	revision, err := strconv.Atoi(number)
	if !found || err != nil {
		return ""
	}
	return Round(revision)
}

// wholeHistory returns the button that shows the whole history, or none if the details have all of it.
func wholeHistory(t store.Tracked, events []order.Event, limit int) []slack.BlockElement {
	if !leavesOut(t, events, limit) {
		return nil
	}
	return []slack.BlockElement{PressOf(t, "Whole history", "Whole history of", ActionHistory+"open", Value(t.ID, 0))}
}

// leavesOut reports whether [addHistory] shows less than everything.
func leavesOut(t store.Tracked, events []order.Event, limit int) bool {
	size := 0
	for _, e := range events {
		if kit.Units(kit.OneLine(strings.Join(e.Words, " "))) > maxHistoryWords {
			return true
		}
		for _, words := range e.PerImage {
			if kit.Units(kit.OneLine(strings.Join(words, " · "))) > maxHistoryRequest {
				return true
			}
		}
		size += len(historyRow(t, e, limit/2))
	}
	return size > limit
}
