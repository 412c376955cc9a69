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

// Limits of one event in a history, in characters.
const (
	maxHistoryWords   = 200
	maxHistoryRequest = 300
)

// addHistory adds the events, newest last. It drops the oldest events that do not fit limit bytes.
func addHistory(p *kit.Page, t store.Tracked, events []order.Event, limit int) *kit.Page {
	var rows []string
	size, earlier := 0, 0
	for i, e := range slices.Backward(events) {
		row := historyRow(t, e, limit/2)
		if size += len(row); size > limit {
			earlier = i + 1
			break
		}
		rows = append(rows, row)
	}
	if len(events) == 0 {
		return p
	}
	if earlier > 0 {
		rows = append(rows, kit.Count(earlier, "earlier event is", "earlier events are")+" in the order's thread.")
	}
	slices.Reverse(rows)
	p.Rows(append([]string{"*History*"}, strings.Split(strings.Join(rows, "\n"), "\n")...)...)
	return p
}

// historyRow returns one event, with a line below it for each image that has instructions. It counts those
// that do not fit.
func historyRow(t store.Tracked, e order.Event, limit int) string {
	name := cmp.Or(eventReplies()[e.Kind].Name, kit.Inline(string(e.Kind), 80))
	words, requests := kit.Inline(strings.Join(e.Words, " "), maxHistoryWords), requestsIn(e, t.Order.EditedImages)
	if len(requests) > 0 && words != "" {
		requests, words = append(requests, AllOthers+": "+words), ""
	}
	row := "• " + kit.Dots(kit.WhenKnown(e.At), name+kit.Prefixed(" by ", kit.Mention(e.Actor))+kit.Prefixed(": ", words))
	for i, request := range requests {
		line := "\n      ◦ " + request
		if len(row)+len(line) > limit {
			return row + "\n      ◦ " + kit.Count(len(requests)-i, "more photo", "more photos")
		}
		row += line
	}
	return row
}

// requestsIn returns an event's instructions for single images, in their order: "2 · cake.jpg: Darker".
func requestsIn(e order.Event, images []order.EditedImage) []string {
	latest := order.Latest(images)
	type request struct {
		number      int
		image, says string
	}
	var all []request
	for id, words := range e.PerImage {
		r := request{len(latest) + 1, kit.Inline(id, 80), kit.Inline(strings.Join(words, " · "), maxHistoryRequest)}
		if number, name := numbered(latest, images, id); number > 0 {
			r.number, r.image = number, strconv.Itoa(number)+" · "+kit.Inline(name, 80)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b request) int {
		return cmp.Or(a.number-b.number, strings.Compare(a.image, b.image))
	})
	return kit.Map(all, func(_ int, r request) string { return r.image + ": " + r.says })
}

// numbered returns the number and name of an image that was delivered under id in any round. number is 0 if it
// is unknown.
func numbered(latest, images []order.EditedImage, id string) (number int, name string) {
	at := slices.IndexFunc(images, func(i order.EditedImage) bool { return i.ID == id })
	if at < 0 {
		return 0, ""
	}
	number = 1 + slices.IndexFunc(latest, func(i order.EditedImage) bool { return i.ID == id })
	if number == 0 {
		number = 1 + slices.IndexFunc(latest, func(i order.EditedImage) bool { return i.Replaces(images[at]) })
	}
	return number, ImageName(images[at])
}

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
	p.Say("*History of " + Project(t) + "*\n" + kit.Dots(status(t), kit.OnlyIf(len(events) > 0, kit.Count(len(events), "event", "events")),
		kit.OnlyIf(len(pages) > 1, "page "+strconv.Itoa(page+1)+" of "+strconv.Itoa(len(pages))+", newest first")))
	if len(pages) == 0 {
		return p.Say("I have no record of its events.")
	}
	for _, lines := range pages[page] {
		p.Rows(lines...)
	}
	p.Note(kit.OnlyIf(t.Shrunk && page == len(pages)-1, "This order ended a while ago. I save only how each text begins. The order's thread has all of it."))
	return p.Paging(ActionHistory, kit.OnlyIf(page > 0, Value(t.ID, page-1)), kit.OnlyIf(page < len(pages)-1, Value(t.ID, page+1)))
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
	if b := t.Brief; e.Kind == order.EventPlaced && b != nil {
		words = b.Instructions
		if who := allowed(*b); who != "" {
			lines = append(lines, who)
		}
	}
	if count := DoneNote(nil, e.Ticked); count != "" {
		lines = append(lines, count)
	}
	lines = append(lines, kit.Quotation(strings.Join(words, "\n"), historyQuote)...)
	requests := requestsIn(e, t.Order.EditedImages)
	for i, request := range requests {
		if kit.BytesOf(lines)+len(request) > historyRequests+historyQuote {
			return append(lines, "◦ "+kit.Count(len(requests)-i, "more photo", "more photos")+": the order's thread has them.")
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
	return kit.OnlyIf(found && err == nil, Round(revision))
}

// wholeHistory returns the button that shows the whole history, or none if the details have all of it.
func wholeHistory(t store.Tracked, events []order.Event, limit int) []slack.BlockElement {
	if !leavesOut(t, events, limit) {
		return nil
	}
	return []slack.BlockElement{OrderButton(t, "Show History", "Show History of", ActionHistory+"open", Value(t.ID, 0))}
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
