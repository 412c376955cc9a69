package photos

import (
	"errors"
	"fmt"
	"iter"
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

	keywords []string // as sent
	words    []string // the same in lower case
	page     int
}

// list answers one page of the orders that pass the filter, newest first. A
// page behind the last one is empty.
func (s *Service) list(c *call) answer {
	f, problems := s.readFilter(c.params)
	if len(problems) > 0 {
		return refusal(problems...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	size := s.opts.PerPage
	found, total := s.newestFirst(f, (f.page-1)*size, size)
	page := listing{
		Errors:           []string{},
		PerPage:          size,
		CurrentPage:      f.page,
		TotalPages:       (total + size - 1) / size,
		TotalResults:     total,
		FilterStatus:     f.status,
		FilterKeywords:   f.echo(),
		FilterCustomerID: f.customer,
		SortBy:           "ordered_at",
		Data:             []orderJSON{},
	}
	for _, o := range found {
		page.Data = append(page.Data, o.summary())
	}
	return answer{body: page}
}

func (s *Service) readFilter(p params) (filter, []string) {
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
	if s.opts.NoKeywords && len(f.keywords) > 0 {
		problems = append(problems, "filter_keywords is not available for this account")
	}
	for _, word := range f.keywords {
		f.words = append(f.words, strings.ToLower(word))
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
	if o.forgotten || o.status == canceled || f.status != "all" && o.status != status(f.status) {
		return false
	}
	if f.customer != "" && o.customer != f.customer {
		return false
	}
	for _, word := range f.words {
		if !strings.Contains(o.words, word) {
			return false
		}
	}
	return true
}

// searchable is what keywords are looked for in.
func (o *order) searchable() string {
	return strings.ToLower(o.project + "\n" + strings.Join(o.instructions, "\n"))
}

// newestFirst returns at most size of the orders that pass, leaving out the first skip,
// and how many pass in all; the mutex is held.
func (s *Service) newestFirst(f filter, skip, size int) (found []*order, total int) {
	for o := range s.backInTime() {
		if !f.passes(o) {
			continue
		}
		if total >= skip && len(found) < size {
			found = append(found, o)
		}
		total++
	}
	return found, total
}

// backInTime goes through the client's orders and the crowd's, the latest first. Only the
// client's own are sorted for it: the crowd's lie in order.
func (s *Service) backInTime() iter.Seq[*order] {
	own := slices.Clone(s.orders)
	slices.SortStableFunc(own, func(a, b *order) int { return a.orderedAt.Compare(b.orderedAt) })
	others := s.crowd.orders
	return func(yield func(*order) bool) {
		i, j := len(own)-1, len(others)-1
		for i >= 0 || j >= 0 {
			from, at := own, &i
			if i < 0 || j >= 0 && others[j].orderedAt.After(own[i].orderedAt) {
				from, at = others, &j
			}
			if !yield(from[*at]) {
				return
			}
			*at--
		}
	}
}
