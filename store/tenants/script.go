// Package tenants keeps what an app knows of its workspaces: where it is installed, with which account each orders, and how
// far the removal of one has come. What is secret is sealed. It knows no orders.
package tenants

import (
	"embed"

	"darkroom/store/script"
)

//go:embed lua/*.lua
var luaFiles embed.FS

var scripts = script.Load(luaFiles)
