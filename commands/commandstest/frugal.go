package commandstest

import (
	"runtime/debug"
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// frugal makes rigs cheap, once for all of a test binary. miniredis makes a new Lua for every
// script that it runs, and the stacks of one are far larger than our scripts need: most of the
// time of a test went into clearing that memory and collecting it again.
var frugal = sync.OnceFunc(func() {
	lua.RegistrySize, lua.CallStackSize = 1024, 64
	debug.SetGCPercent(400)
})
