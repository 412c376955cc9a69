package commands

import (
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
)

// unreadIn is the sentence about a file that the app may not read, by where it was chosen:
// nobody can invite the app into a direct message between people.
func unreadIn(r bot.Request) string {
	if inGroup(r) || r.Channel != "" && jobs.Postable(r.Channel) == "" {
		return cards.UnreadDirect
	}
	return cards.UnreadFile
}
