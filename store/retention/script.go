// Package retention shrinks and deletes finished orders, forgets people, and exports the data of a workspace.
package retention

import (
	"embed"

	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/script"
)

//go:embed lua/*.lua lua/shared/*.lua
var luaFiles embed.FS

var scripts = script.Load(luaFiles, store.Lua, queue.Lua)
