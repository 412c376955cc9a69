package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit in which Linux tells of a process's CPU (USER_HZ).
const tick = 10 * time.Millisecond

// ownCPU is what this process has used.
func ownCPU() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// cpuOf is what a process and its children have used, those that ended included: PostgreSQL has one
// for each connection.
func cpuOf(pid int) (time.Duration, error) {
	total, err := ticks(pid)
	if err != nil {
		return 0, err
	}
	lists, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	if err != nil {
		return 0, err
	}
	for _, list := range lists {
		children, err := os.ReadFile(list)
		if err != nil {
			return 0, err
		}
		for child := range strings.FieldsSeq(string(children)) {
			id, err := strconv.Atoi(child)
			if err != nil {
				return 0, err
			}
			n, err := ticks(id)
			if err == nil { // else it ended just now, and is among those of its parent next time
				total += n
			}
		}
	}
	return time.Duration(total) * tick, nil
}

// ticks are a process's own and those of its children that ended: fields 14 to 17 of its stat, which
// begin behind the name in parentheses.
func ticks(pid int) (total int64, err error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, err
	}
	_, behind, _ := strings.Cut(string(stat), ") ")
	for _, field := range strings.Fields(behind)[11:15] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}
