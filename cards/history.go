package cards

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
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
			return row + "\n      ◦ " + kit.Count(len(requests)-i, "more image", "more images")
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
