// Package ratelimit has the rate limits that replicas share: of calls to the order service, of posts to a Slack channel,
// and of calls that read Slack's messages. Redis keeps them by its own clock. While it does not answer, each replica keeps
// the service's limit by itself. A slot is the time at which one call may be made.
package ratelimit

import (
	"embed"
	"fmt"

	"darkroom/store/script"
)

// The keys of this package:
//
//	pace:CHANNEL   string: when the next message may be posted, ms; expires
//	reads:METHOD   hash: the readers that wait for a slot; next: when the next slot comes, ms; expires
//	turns          string: the reserved calls to the service; expires; see lua/take_turns.lua
//	turns:ACCOUNT  string: the same for an account that several workspaces share; expires; see lua/reserve_turns.lua
//
//go:embed lua/*.lua
var luaFiles embed.FS

var scripts = script.Load(luaFiles)

// about adds what failed to err; nil stays nil.
func about(what, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", what, name, err)
}
