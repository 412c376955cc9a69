package commands

import (
	"testing"

	"darkroom/bot"
	"darkroom/store/storetest"
)

// This version reads the clicks that an earlier version queued.
func TestYesterdaysClicksAreRead(t *testing.T) {
	storetest.Yesterday(t, map[string]func() any{"click": func() any { return new(bot.Request) }})
}
