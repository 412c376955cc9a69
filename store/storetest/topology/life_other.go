//go:build !linux

package topology

import "syscall"

// mortal does nothing here: only Linux ends a process with the one that started it.
func mortal() *syscall.SysProcAttr { return nil }
