package main

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine is where the figures were taken.
type machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Kernel string `json:"kernel"`
	Go     string `json:"go"`
	Node   string `json:"node"`
	Redis  string `json:"redis"`
	Share  string `json:"share"` // who had which core
}

func describeMachine(ctx context.Context, c cores) machine {
	return machine{
		CPU: cpuModel(), Cores: allCores(), Kernel: says(ctx, "uname", "-sr"), Go: runtime.Version(), Node: says(ctx, "node", "--version"),
		Redis: says(ctx, "redis-server", "--version"),
		Share: "what is measured: core " + c.server + "; Redis: " + c.redis + "; generator and pretended outsides: " + c.harness,
	}
}

// cpuModel is what the kernel calls the processor.
func cpuModel() string {
	raw, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return err.Error()
	}
	for line := range strings.Lines(string(raw)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// says is the first line that a program prints; "": none.
func says(ctx context.Context, name string, args ...string) string {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}
