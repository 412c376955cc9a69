package list

import (
	"regexp"
	"strings"

	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/store"
)

// hasStatus reports whether an order has the status that the words name, and whether they name one.
func hasStatus(t store.Tracked, words string) (has, known bool) {
	switch words {
	case "all":
		return true, true
	case "active", "open", "in progress":
		return !t.Ended(), true
	case "gone":
		return t.Gone, true
	}
	status, known := statusNames()[words]
	return t.Is(status), known
}

// maxStatusWords is the length of the longest status name in words.
const maxStatusWords = 4

// statusAt returns the status that the line begins with, and its number of words: the longest match, or "" and 0.
func statusAt(line []filterWord) (status string, words int) {
	for n := min(len(line), maxStatusWords); n > 0; n-- {
		var said []string
		for _, word := range line[:n] {
			if word.quoted {
				said = nil
				break
			}
			said = append(said, strings.ToLower(word.text))
		}
		phrase := strings.Join(said, " ")
		if _, known := hasStatus(store.Tracked{}, phrase); known {
			return phrase, n
		}
	}
	return "", 0
}

// filterWord is a word of the line, or a quoted phrase.
type filterWord struct {
	text   string
	quoted bool
}

var filterWords = regexp.MustCompile(`["“”„«]([^"“”„«»]+)["“”»]|(\S+)`)

func filterWordsOf(line string) []filterWord {
	var all []filterWord
	for _, found := range filterWords.FindAllStringSubmatch(line, -1) {
		if phrase := strings.Join(strings.Fields(found[1]), " "); phrase != "" {
			all = append(all, filterWord{phrase, true})
		} else if word := strings.Trim(found[2], `"“”„«»`); word != "" {
			all = append(all, filterWord{word, false})
		}
	}
	return all
}

// parseListing reads "[account] [status] [mine] [customer:ID] [words…]". Filters come first, because a project may be
// called "Paused" or "Mine". Quoted words are part of a name.
func parseListing(line string) listing {
	words := filterWordsOf(kit.AsTyped(client.AsTyped(line)))
	if len(words) > 0 && !words[0].quoted && strings.EqualFold(words[0].text, "account") {
		return listing{Account: true}.withFilters(words[1:])
	}
	return listing{}.withFilters(words)
}
