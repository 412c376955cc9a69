package list

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"darkroom/access"
	"darkroom/commands/resolve"
	"darkroom/order"
	"darkroom/store"
)

// listing is what is listed: it travels in the buttons of a page, so that the pages
// live as long as the message does.
type listing struct {
	Account  bool     `json:"account,omitempty"` // the service's own list
	Channel  string   `json:"channel,omitempty"` // "": the person's own orders
	Found    bool     `json:"found,omitempty"`   // in all the person's channels, and in that one
	Status   string   `json:"status,omitempty"`  // as it was typed
	Mine     bool     `json:"mine,omitempty"`
	Customer string   `json:"customer,omitempty"`
	Words    []string `json:"words,omitempty"`
	Page     int      `json:"page,omitempty"` // from 0
}

// channels are those whose orders are listed.
func (l listing) channels(ctx context.Context, s *access.Viewer) ([]string, error) {
	if !l.Found {
		return []string{l.Channel}, nil
	}
	all, err := s.Channels(ctx)
	if l.Channel != "" && !slices.Contains(all, l.Channel) { // a private one, of which Slack tells us nothing
		all = append(all, l.Channel)
	}
	return all, err
}

// has tells whether an order is asked for.
func (l listing) has(t store.Tracked, user string) bool {
	if l.Mine && t.Owner.Requester != user {
		return false
	}
	has, known := hasStatus(t, l.Status)
	return (has || !known) && resolve.Matches(t, l.Words)
}

func (l listing) value(page int) string {
	l.Page = page
	raw, _ := json.Marshal(l) // plain strings and numbers
	return string(raw)
}

// otherPage is the listing so many pages further, "" where there is no such page. Pages may have
// gone since: the way back stays.
func (l listing) otherPage(by, pages int) string {
	if page := l.Page + by; page >= 0 && page < max(pages, l.Page) {
		return l.value(page)
	}
	return ""
}

// Filter is the listing in the service's terms, or what of it the service cannot do.
func (l listing) filter() (order.Filter, string) {
	f := order.Filter{CustomerID: l.Customer, Keywords: l.Words, Page: l.Page + 1}
	status, named := statusNames()[l.Status]
	switch {
	case named && status.Listed():
		f.Status = string(status)
	case l.Status != "" && l.Status != "all":
		return f, fmt.Sprintf("The service has no list of its own for “%s”: it offers all, editing, revising, paused, reviewing and closed", l.Status)
	}
	var short []string
	for _, word := range l.Words {
		if utf8.RuneCountInString(word) < order.MinKeyword {
			short = append(short, "“"+word+"”")
		}
	}
	if len(short) > 0 {
		return f, fmt.Sprintf("Too short to search for: %s. The service searches for words of at least %d characters; please leave it out or use a longer one", strings.Join(short, ", "), order.MinKeyword)
	}
	return f, ""
}

// narrowed is the listing with what the words say.
func (l listing) narrowed(words []filterWord) listing {
	for len(words) > 0 {
		words = words[l.takes(words):]
	}
	return l
}

// takes reads what the line goes on with, and tells how many words that are.
func (l *listing) takes(words []filterWord) int {
	word := words[0]
	lower := strings.ToLower(word.text)
	status, n := statusAt(words)
	switch {
	case l.Account && !word.quoted && strings.HasPrefix(lower, customerFilter) && lower != customerFilter:
		l.Customer = word.text[len(customerFilter):]
	case l.Words != nil || word.quoted:
		l.Words = append(l.Words, l.searched(word)...)
	case lower == "mine" && !l.Account:
		l.Mine = true
	case l.Status == "" && n > 0:
		l.Status = status
		return n
	default:
		l.Words = append(l.Words, word.text)
	}
	return 1
}

// searched are the words to look for: the service knows no phrases.
func (l *listing) searched(word filterWord) []string {
	if l.Account {
		return slices.Clone(strings.Fields(word.text))
	}
	return []string{word.text}
}

// statusNames are what the service calls a status, what the cards do, and what people say.
func statusNames() map[string]order.Status {
	names := map[string]order.Status{}
	for status, all := range map[order.Status][]string{
		order.StatusEditing:   {"editing", "being edited", "edited"},
		order.StatusRevising:  {"revising", "changes", "changes being made", "changes requested", "being changed", "being revised"},
		order.StatusPaused:    {"paused", "paused by the service", "on hold"},
		order.StatusReviewing: {"reviewing", "review", "in review", "ready", "ready for review", "waiting", "waiting for review", "waiting for you", "waiting for me"},
		order.StatusClosed:    {"closed", "approved", "done"},
		order.StatusCanceled:  {"canceled", "cancelled"},
	} {
		for _, name := range all {
			names[name] = status
		}
	}
	return names
}

const customerFilter = "customer:"

// maxListing is what a button's value holds, less some room for the page's number.
const maxListing = 1900
