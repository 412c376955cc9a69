package commandstest

import (
	"runtime/debug"
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// frugal makes rigs cheap, once for a test binary. miniredis makes a new Lua state for every script, with far larger
// stacks than the scripts need: clearing and collecting that memory took most of a test's time.
var frugal = sync.OnceFunc(func() {
	lua.RegistrySize, lua.CallStackSize = 1024, 64
	debug.SetGCPercent(400)
})
