package topology

import (
	"os"
	"syscall"
)

// mortal makes the system kill a process when its parent ends or crashes, so that an aborted test
// leaves no servers behind.
func mortal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// kill kills a process and its children: a Redis writes its file in a child, which would otherwise go on
// in a folder that is being removed.
func kill(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
