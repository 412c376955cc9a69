// Package conn connects to Redis: it reads the URL, makes writes wait for replicas, and examines the server. It does not
// know what the keys hold.
package conn

import (
	"embed"

	"darkroom/store/queue"
	"darkroom/store/script"
)

//go:embed lua/*.lua
var luaFiles embed.FS

var scripts = script.Load(luaFiles, queue.Lua)
