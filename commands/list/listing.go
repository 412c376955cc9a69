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

// listing is a query for orders. It is the value of a page's buttons, so they work as long as the message exists.
type listing struct {
	Account  bool     `json:"account,omitempty"` // the service's own list
	Channel  string   `json:"channel,omitempty"` // "": the person's own orders
	Found    bool     `json:"found,omitempty"`   // in all the person's channels, and in Channel
	Status   string   `json:"status,omitempty"`  // as typed
	Mine     bool     `json:"mine,omitempty"`
	Customer string   `json:"customer,omitempty"`
	Words    []string `json:"words,omitempty"`
	Page     int      `json:"page,omitempty"` // from 0
}

// channels returns the channels whose orders are listed.
func (l listing) channels(ctx context.Context, s *access.Viewer) ([]string, error) {
	if !l.Found {
		return []string{l.Channel}, nil
	}
	all, err := s.Channels(ctx)
	if l.Channel != "" && !slices.Contains(all, l.Channel) { // a private channel that Slack does not list
		all = append(all, l.Channel)
	}
	return all, err
}

// matches reports whether the listing includes an order.
func (l listing) matches(t store.Tracked, user string) bool {
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

// otherPage returns the listing that many pages on, or "" without such a page. The way back stays even if pages have
// gone.
func (l listing) otherPage(by, pages int) string {
	if page := l.Page + by; page >= 0 && page < max(pages, l.Page) {
		return l.value(page)
	}
	return ""
}

// filter returns the listing as a filter of the service, or the sentence that says what the service cannot do.
func (l listing) filter() (order.Filter, string) {
	f := order.Filter{CustomerID: l.Customer, Keywords: l.Words, Page: l.Page + 1}
	status, named := statusNames()[l.Status]
	switch {
	case named && status.Listed():
		f.Status = string(status)
	case l.Status != "" && l.Status != "all":
		return f, fmt.Sprintf("The photo service has no list for “%s”. It has all, editing, revising, paused, reviewing and closed", l.Status)
	}
	var short []string
	for _, word := range l.Words {
		if utf8.RuneCountInString(word) < order.MinKeyword {
			short = append(short, "“"+word+"”")
		}
	}
	if len(short) > 0 {
		return f, fmt.Sprintf("Too short to search for: %s. The photo service searches for words of at least %d characters. Leave it out or use a longer one", strings.Join(short, ", "), order.MinKeyword)
	}
	return f, ""
}

// withFilters returns the listing with the line's filters.
func (l listing) withFilters(words []filterWord) listing {
	for len(words) > 0 {
		words = words[l.consume(words):]
	}
	return l
}

// consume reads the filter that the words begin with, and returns its number of words.
func (l *listing) consume(words []filterWord) int {
	word := words[0]
	lower := strings.ToLower(word.text)
	status, n := statusAt(words)
	switch {
	case l.Account && !word.quoted && strings.HasPrefix(lower, customerFilter) && lower != customerFilter:
		l.Customer = word.text[len(customerFilter):]
	case l.Words != nil || word.quoted:
		l.Words = append(l.Words, l.keywords(word)...)
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

// keywords returns a word's search terms: the service has no phrase search.
func (l *listing) keywords(word filterWord) []string {
	if l.Account {
		return strings.Fields(word.text)
	}
	return []string{word.text}
}

// statusNames maps names to statuses: those of the service and of the cards, and common synonyms.
func statusNames() map[string]order.Status {
	names := map[string]order.Status{}
	for status, all := range map[order.Status][]string{
		order.StatusEditing:   {"editing", "being edited", "edited"},
		order.StatusRevising:  {"revising", "changes", "changes being made", "changes requested", "being changed", "being revised"},
		order.StatusPaused:    {"paused", "paused by the photo service", "on hold"},
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

// maxListing is the length of a button's value, less room for the page number.
const maxListing = 1900
