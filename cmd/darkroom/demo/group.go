//go:build !production && unix

package demo

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps Ctrl-C from the process: the app gets Ctrl-C, too, and needs the process until it has stopped.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
