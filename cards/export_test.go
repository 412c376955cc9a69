package cards

// What the tests outside the package look at.
const (
	MaxSheet  = maxSheet
	MostLinks = mostLinks
)

var (
	ChangedSince = changedSince
	CountOf      = countOf
	EditorReply  = editorReply
	EventReplies = eventReplies
	HistoryPages = historyPages
	CardRow      = cardRow
	Refusal      = refusal
	SameEdit     = sameEdit
	StatusText   = statusWords
)

type Request = request

// Sentences returns the sentence of each kind of error.
func Sentences() (all []string) {
	for _, row := range sentences {
		all = append(all, row.sentence)
	}
	return all
}
