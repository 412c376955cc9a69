// Package tenants saves what an app knows of its workspaces: where it is installed, which account each orders with, and
// the progress of a removal. Secrets are sealed. It knows no orders.
package tenants

import (
	"embed"

	"darkroom/store/script"
)

//go:embed lua/*.lua
var luaFiles embed.FS

var scripts = script.Load(luaFiles)
