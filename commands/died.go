package commands

import (
	"encoding/json"

	"darkroom/bot"
	"darkroom/store/queue"
)

// deadLine is the command line of a click, to be copied: it is nowhere on the screen.
func deadLine(job queue.Job) string {
	var r bot.Request
	if job.Kind != clickJob || json.Unmarshal(job.Body, &r) != nil {
		return ""
	}
	return typedLine(r)
}
