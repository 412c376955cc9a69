//go:build !linux

package topology

import (
	"os"
	"syscall"
)

// mortal returns nil: only Linux kills a process with its parent.
func mortal() *syscall.SysProcAttr { return nil }

// kill ends a process.
func kill(p *os.Process) error { return p.Kill() }
