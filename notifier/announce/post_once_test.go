package announce_test

import (
	"time"

	"darkroom/sandbox/workspace"
)

// mishaps are the ways in which the first post of a message can fail.
func mishaps() map[string]func(r *rig) {
	first := func(fault workspace.Fault) func(r *rig) {
		return func(r *rig) { r.w.Misbehave("chat.postMessage", fault, 1) }
	}
	return map[string]func(r *rig){
		"nothing happens":      func(*rig) {},
		"the answer is lost":   first(workspace.Error500After),
		"it was not posted":    first(workspace.Error500),
		"slack asks to wait":   first(workspace.TooMany(time.Second)),
		"slack refuses blocks": first(workspace.Fails("invalid_blocks")),
	}
}
