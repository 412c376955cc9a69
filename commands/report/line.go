package report

import (
	"strings"
	"time"

	"darkroom/order"
)

// reportLine is what somebody asks of a report.
type reportLine struct {
	account bool     // of all channels
	file    bool     // with the orders as a file
	month   []string // as it was typed; none: this one
	by      order.ReportBy
}

// groupNames are the words behind "by".
var groupNames = map[string]order.ReportBy{
	"person": order.ByPerson, "people": order.ByPerson, "requester": order.ByPerson,
	"channel": order.ByChannel, "channels": order.ByChannel,
	"customer": order.ByCustomer, "customers": order.ByCustomer,
}

// parseReport reads the line; unknown is the first word without a meaning, "" if all have one. Words may
// stand in any order.
func parseReport(line string) (l reportLine, unknown string) {
	words := strings.Fields(line)
	for len(words) > 0 {
		took := l.word(words)
		if took == 0 {
			return l, words[0]
		}
		words = words[took:]
	}
	return l, ""
}

// word reads what the words begin with, and says how many of them that took.
func (l *reportLine) word(words []string) (took int) {
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
	_, took = order.ParseMonth(words, time.Now(), time.UTC)
	if took > 0 {
		l.month = words[:took]
	}
	return took
}
