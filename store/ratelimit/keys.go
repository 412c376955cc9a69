// Package ratelimit keeps the rates that replicas share: of calls to the order service, of posts to a Slack channel, and of
// calls that read Slack's messages. Redis keeps them by its own clock. When it does not answer, each replica keeps the rate of
// the service by itself.
package ratelimit

import (
	"embed"
	"fmt"

	"darkroom/store/script"
)

// The keys of this package:
//
//	pace:CHANNEL   string: when the channel takes the next message, ms; expires
//	reads:METHOD   hash: who waits for a turn to read messages, and next, when there is one, ms; expires
//	turns          string: the rate of calls to the service; expires; see lua/take_turns.lua
//	turns:ACCOUNT  string: the same for an account that several workspaces share; expires; see lua/reserve_turns.lua
//
//go:embed lua/*.lua
var luaFiles embed.FS

var scripts = script.Load(luaFiles)

// about says what err is about; nil stays nil.
func about(what, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", what, name, err)
}
