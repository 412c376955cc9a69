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
	"preset": order.ByPreset, "presets": order.ByPreset,
	"round": order.ByRound, "rounds": order.ByRound,
}

// parseReport parses the line; unknown is the first unknown word, or "". Words stand in any order.
func parseReport(line string) (l reportLine, unknown string) {
	words := strings.Fields(line)
	for len(words) > 0 {
		n := l.word(words)
		if n == 0 {
			return l, unknownOption(words)
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
		l.by, n = groupOf(words[1:])
		return n
	}
	_, n = order.ParseMonth(words, time.Now(), time.UTC)
	if n > 0 {
		l.month = words[:n]
	}
	return n
}

// groupOf reads the words behind "by": "person", "round", "editor's round". It returns their number with "by", 0 if they
// are unknown.
func groupOf(words []string) (by order.ReportBy, n int) {
	n = 2
	if len(words) > 1 && strings.HasPrefix(strings.ToLower(words[0]), "editor") && groupNames[strings.ToLower(words[1])] == order.ByRound {
		words, n = words[1:], 3
	}
	if len(words) == 0 || groupNames[strings.ToLower(words[0])] == "" {
		return "", 0
	}
	return groupNames[strings.ToLower(words[0])], n
}

// unknownOption returns the unknown option that the words begin with: "moon", "by moon".
func unknownOption(words []string) string {
	if len(words) > 1 && strings.EqualFold(words[0], "by") {
		words = []string{words[0] + " " + words[1]}
	}
	return words[0]
}
