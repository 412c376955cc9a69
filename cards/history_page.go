package cards

import (
	"slices"
	"strconv"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/order"
	"darkroom/store"
)

// TitleHistory is the title of the window that shows the whole history of an order.
const TitleHistory = "History"

// A page of the whole history holds so many events and bytes; of one event so many characters of its words
// are shown, and bytes of what was asked for single images.
const (
	historyEvents   = 12
	historyPageRoom = 7000
	historyQuote    = 2500
	historyRequests = 3000
)

// History is a page of all that happened to an order: every event with who and when, each round with
// what was asked and what was answered. Page 0 has the newest events; on every page the newest is last.
func History(t store.Tracked, events []order.Event, page int) Message {
	return new(builder).historyPage(t, events, page).message()
}

// HistoryWindow is [History] as a modal.
func HistoryWindow(t store.Tracked, events []order.Event, page int, externalID string) slack.ModalViewRequest {
	return (&builder{wide: true}).historyPage(t, events, page).modal(TitleHistory, externalID, metaOf(t))
}

func (p *builder) historyPage(t store.Tracked, events []order.Event, page int) *builder {
	pages := historyPages(t, events)
	page = max(min(page, len(pages)-1), 0)
	p.say("*History of " + project(t) + "*\n" + dots(status(t), count(len(events), "event", "events"),
		onlyIf(len(pages) > 1, "page "+strconv.Itoa(page+1)+" of "+strconv.Itoa(len(pages))+", newest first")))
	if len(pages) == 0 {
		return p.say("Nothing is known of what happened to it.")
	}
	for _, lines := range pages[page] {
		p.rows(lines...)
	}
	p.note(onlyIf(t.Shrunk && page == len(pages)-1, "This order ended a while ago: of its events I keep how their words begin. The order's thread has them all."))
	newer, older := "", ""
	if page > 0 {
		newer = Value(t.ID, page-1)
	}
	if page < len(pages)-1 {
		older = Value(t.ID, page+1)
	}
	return p.paging(ActionHistory, newer, older)
}

// historyPages are the events as lines, page by page, the page with the newest first.
func historyPages(t store.Tracked, events []order.Event) [][][]string {
	var pages [][][]string
	var page [][]string
	room := 0
	for _, e := range slices.Backward(events) {
		lines := historyEvent(t, e)
		size := bytesOf(lines)
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

// historyEvent is one event in full.
func historyEvent(t store.Tracked, e order.Event) []string {
	name := orElse(eventReplies()[e.Kind].name, inline(string(e.Kind), 80))
	lines := []string{dots("*"+name+"*"+led(" by ", mention(e.Actor)), whenKnown(e.At), roundOf(e))}
	words := e.Words
	if e.Kind == order.EventPlaced && t.Brief != nil {
		words = t.Brief.Instructions
	}
	if b := t.Brief; e.Kind == order.EventPlaced && b != nil {
		if who := allowed(*b); who != "" {
			lines = append(lines, who)
		}
	}
	lines = append(lines, quotation(strings.Join(words, "\n"), historyQuote)...)
	requests := requestsIn(e, t.Order.EditedImages)
	for i, request := range requests {
		if bytesOf(lines)+len(request) > historyRequests+historyQuote {
			return append(lines, "◦ "+count(len(requests)-i, "more image", "more images")+": the order's thread has them.")
		}
		lines = append(lines, "◦ "+request)
	}
	return lines
}

// roundOf is the round of a delivery, of the changes that were requested, or of a line of the conversation; "" of
// anything else.
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

// wholeHistory is the button that shows it, where an order's details have only a part; none when they have
// all.
func wholeHistory(t store.Tracked, events []order.Event, limit int) []slack.BlockElement {
	if !leavesOut(t, events, limit) {
		return nil
	}
	return []slack.BlockElement{pressOf(t, "Whole history", "Whole history of", ActionHistory+"open", Value(t.ID, 0))}
}

// leavesOut says whether [builder.history] shows less than there is.
func leavesOut(t store.Tracked, events []order.Event, limit int) bool {
	size := 0
	for _, e := range events {
		if units(oneLine(strings.Join(e.Words, " "))) > maxHistoryWords {
			return true
		}
		for _, words := range e.PerImage {
			if units(oneLine(strings.Join(words, " · "))) > maxHistoryRequest {
				return true
			}
		}
		size += len(historyRow(t, e, limit/2))
	}
	return size > limit
}
