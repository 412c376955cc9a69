package topology

import "syscall"

// mortal makes the system kill a process when the one that started it ends, however that ends: a
// test that ran out of time leaves no servers behind.
func mortal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
