//go:build !production && unix

package demo

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps Ctrl-C from it: the app, which is told as well, needs it until it has stopped.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
