package photos

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// minKeyword is the length of the shortest keyword, in characters.
const minKeyword = 6

// listing is the envelope of a list.
type listing struct {
	Errors           []string    `json:"errors"`
	PerPage          int         `json:"per_page"`
	CurrentPage      int         `json:"current_page"`
	TotalPages       int         `json:"total_pages"`
	TotalResults     int         `json:"total_results"`
	FilterStatus     string      `json:"filter_status"`
	FilterKeywords   any         `json:"filter_keywords"` // the keywords, "" when unused
	FilterCustomerID string      `json:"filter_customer_id"`
	SortBy           string      `json:"sort_by"`
	Data             []orderJSON `json:"data"`
}

// filter is what a list is asked for.
type filter struct {
	status, customer string

	keywords []string
	page     int
}

// list answers one page of the orders that pass the filter, newest first. A
// page behind the last one is empty.
func (s *Service) list(c *call) answer {
	f, problems := readFilter(c.params)
	if len(problems) > 0 {
		return refusal(problems...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.newestFirst(f.passes)
	size := s.opts.PerPage
	from := min((f.page-1)*size, len(found))
	page := listing{
		Errors:           []string{},
		PerPage:          size,
		CurrentPage:      f.page,
		TotalPages:       (len(found) + size - 1) / size,
		TotalResults:     len(found),
		FilterStatus:     f.status,
		FilterKeywords:   f.echo(),
		FilterCustomerID: f.customer,
		SortBy:           "ordered_at",
		Data:             []orderJSON{},
	}
	for _, o := range found[from:min(from+size, len(found))] {
		page.Data = append(page.Data, o.summary())
	}
	return answer{body: page}
}

func readFilter(p params) (filter, []string) {
	var problems []string
	f := filter{status: or(p.text("filter_status"), "all"), customer: p.text("filter_customer_id")}
	switch status(f.status) {
	case "all", editing, revising, paused, reviewing, closed:
	default:
		problems = append(problems, "invalid filter_status: "+f.status)
	}
	var err error
	if f.page, err = pageNumber(p.text("page")); err != nil {
		problems = append(problems, err.Error())
	}
	if f.keywords, err = p.words("filter_keywords"); err != nil {
		problems = append(problems, err.Error())
	}
	for _, word := range f.keywords {
		if utf8.RuneCountInString(word) < minKeyword {
			problems = append(problems, fmt.Sprintf("each keyword must have at least %d characters: %s", minKeyword, word))
		}
	}
	return f, problems
}

func pageNumber(text string) (int, error) {
	page, err := strconv.Atoi(or(text, "1"))
	if err != nil || page < 1 || page > 1_000_000 {
		return 0, errors.New("invalid page")
	}
	return page, nil
}

func (f filter) echo() any {
	if len(f.keywords) == 0 {
		return ""
	}
	return f.keywords
}

// passes reports whether an order is in the list: every keyword must be in its
// project name or its instructions, and a canceled order is in no list.
func (f filter) passes(o *order) bool {
	if o.status == canceled || f.status != "all" && o.status != status(f.status) {
		return false
	}
	if f.customer != "" && o.customer != f.customer {
		return false
	}
	text := strings.ToLower(o.project + "\n" + strings.Join(o.instructions, "\n"))
	for _, word := range f.keywords {
		if !strings.Contains(text, strings.ToLower(word)) {
			return false
		}
	}
	return true
}

// newestFirst returns the orders that pass; the mutex is held.
func (s *Service) newestFirst(passes func(*order) bool) []*order {
	var found []*order
	for _, o := range slices.Backward(s.orders) {
		if passes(o) {
			found = append(found, o)
		}
	}
	slices.SortStableFunc(found, func(a, b *order) int { return b.orderedAt.Compare(a.orderedAt) })
	return found
}
