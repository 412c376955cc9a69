package topology

import (
	"os"
	"syscall"
)

// mortal makes the system kill a process when the one that started it ends, however that ends: a
// test that ran out of time leaves no servers behind.
func mortal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// kill ends a process and those that it has forked: a Redis that writes its file does that in a child,
// which would go on in a folder that is being removed.
func kill(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
