package list

import (
	"regexp"
	"strings"

	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/store"
)

// What narrows a list, as it is typed.

// hasStatus tells whether an order has the status that words name, and whether they name one.
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

// mostStatusWords is how many words the longest of them has.
const mostStatusWords = 4

// statusAt is the status that the line goes on to name, "" when it names none, and how many of its
// words do: as many as possible.
func statusAt(line []filterWord) (status string, words int) {
	for n := min(len(line), mostStatusWords); n > 0; n-- {
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

// filterWord is a word of the line, or several between quotation marks.
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

// parseListing reads "[account] [status] [mine] [customer:ID] [words…]". What narrows the list
// comes first: a project may be called "Paused" or "Mine". What is quoted is part of a name.
func parseListing(line string) listing {
	words := filterWordsOf(kit.AsTyped(client.AsTyped(line)))
	if len(words) > 0 && !words[0].quoted && strings.EqualFold(words[0].text, "account") {
		return listing{Account: true}.narrowed(words[1:])
	}
	return listing{}.narrowed(words)
}
