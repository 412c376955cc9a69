package report

import (
	"strings"
	"time"

	"darkroom/order"
)

// reportLine is a parsed report line.
type reportLine struct {
	account bool     // all channels
	file    bool     // with a CSV file of the orders
	month   []string // as typed; empty: this month
	by      order.ReportBy
}

// groupNames maps the words behind "by".
var groupNames = map[string]order.ReportBy{
	"person": order.ByPerson, "people": order.ByPerson, "requester": order.ByPerson,
	"channel": order.ByChannel, "channels": order.ByChannel,
	"customer": order.ByCustomer, "customers": order.ByCustomer,
}

// parseReport parses the line; unknown is the first unknown word, or "". Words stand in any order.
func parseReport(line string) (l reportLine, unknown string) {
	words := strings.Fields(line)
	for len(words) > 0 {
		n := l.word(words)
		if n == 0 {
			return l, words[0]
		}
		words = words[n:]
	}
	return l, ""
}

// word reads the option that the words begin with and returns its number of words, 0 if unknown.
func (l *reportLine) word(words []string) (n int) {
	switch strings.ToLower(words[0]) {
	case "account":
		l.account = true
		return 1
	case "csv":
		l.file = true
		return 1
	case "by":
		if len(words) < 2 || groupNames[strings.ToLower(words[1])] == "" {
			return 0
		}
		l.by = groupNames[strings.ToLower(words[1])]
		return 2
	}
	_, n = order.ParseMonth(words, time.Now(), time.UTC)
	if n > 0 {
		l.month = words[:n]
	}
	return n
}
