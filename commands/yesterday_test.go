package commands

import (
	"testing"

	"darkroom/bot"
	"darkroom/store/storetest"
)

// A click that an earlier version left in the queue is read by this one.
func TestYesterdaysClicksAreRead(t *testing.T) {
	storetest.Yesterday(t, map[string]func() any{"click": func() any { return new(bot.Request) }})
}
