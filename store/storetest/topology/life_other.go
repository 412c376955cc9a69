//go:build !linux

package topology

import (
	"os"
	"syscall"
)

// mortal does nothing here: only Linux ends a process with the one that started it.
func mortal() *syscall.SysProcAttr { return nil }

// kill ends a process.
func kill(p *os.Process) error { return p.Kill() }
