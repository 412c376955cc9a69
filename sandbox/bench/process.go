package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// cores says who has which, as taskset wants it.
type cores struct{ server, redis, harness string }

// machineCores shares the machine's cores out: what is measured has the first one.
func machineCores() cores {
	switch n := allCores(); n {
	case 1:
		return cores{"0", "0", "0"}
	case 2:
		return cores{"0", "1", "1"}
	default:
		return cores{"0", "1", "2-" + strconv.Itoa(n-1)}
	}
}

// allCores counts them, also those that this process may not use.
func allCores() int {
	found, err := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*")
	if err != nil || len(found) == 0 {
		return runtime.NumCPU()
	}
	return len(found)
}

// process is something that was started, and is killed at the end.
type process struct {
	cmd  *exec.Cmd
	log  string // the file that holds what it says
	gone chan struct{}
}

// spawn starts a program on its core. It has no environment but this one.
func (b *bench) spawn(core, name string, environ []string, argv ...string) (*process, error) {
	dir, err := b.folder(name)
	if err != nil {
		return nil, err
	}
	out, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }() // the process has its own
	cmd := exec.CommandContext(context.WithoutCancel(b.ctx), "taskset", append([]string{"-c", core}, argv...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = environ, out, out
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, log: out.Name(), gone: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // it is killed
		close(p.gone)
	}()
	b.running = append(b.running, p)
	return p, nil
}

// kill is kill -9, and waits.
func (p *process) kill() {
	_ = p.cmd.Process.Signal(syscall.SIGKILL)
	<-p.gone
}

// stop tells it to stop, and kills it when it does not.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.gone:
	case <-time.After(5 * time.Second):
		p.kill()
	}
}

func (b *bench) killAll() {
	for _, p := range b.running {
		p.kill()
	}
	b.running = nil
}

// said are its words, for errors.
func (p *process) said() string {
	raw, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(raw[max(0, len(raw)-2000):])
}

// saying is the first line of its words that has this in it; "": none.
func (p *process) saying(what string) string {
	raw, err := os.ReadFile(p.log)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(raw)) {
		if strings.Contains(line, what) {
			return line
		}
	}
	return ""
}

// cpu is the time that its threads were on a core.
func (p *process) cpu() time.Duration { return p.scheduled(1) }

// busy is cpu, and the time that they waited for a core: on a machine that does much else, who has
// work to do may get little of it done.
func (p *process) busy() time.Duration { return p.scheduled(2) }

// scheduled sums the first fields of its threads' schedstat.
func (p *process) scheduled(fields int) time.Duration {
	threads, err := filepath.Glob(p.proc("task/*/schedstat"))
	if err != nil {
		return 0
	}
	var all time.Duration
	for _, thread := range threads {
		raw, err := os.ReadFile(thread)
		if err != nil {
			continue // it ended
		}
		for _, field := range strings.Fields(string(raw))[:fields] {
			ns, _ := strconv.ParseInt(field, 10, 64)
			all += time.Duration(ns)
		}
	}
	return all
}

// memory is what a process holds, in bytes.
type memory struct {
	RSS  int64 `json:"rss"`
	Anon int64 `json:"anon"` // of RSS: what is no file
	Peak int64 `json:"peak"` // the largest RSS so far
}

func (p *process) memory() memory {
	raw, _ := os.ReadFile(p.proc("status")) // gone: all zero
	fields := map[string]int64{}
	for line := range strings.Lines(string(raw)) {
		name, value, _ := strings.Cut(line, ":")
		kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		fields[name] = kb << 10
	}
	return memory{RSS: fields["VmRSS"], Anon: fields["RssAnon"], Peak: fields["VmHWM"]}
}

func (p *process) proc(file string) string {
	return filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), file)
}

// freeAddress is where nobody listens.
func (b *bench) freeAddress() (string, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(b.ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// listening waits until the address takes connections.
func (b *bench) listening(p *process, addr string) error {
	err := b.until(addr, 20*time.Second, time.Millisecond, func() bool {
		dialer := net.Dialer{Timeout: time.Second}
		conn, err := dialer.DialContext(b.ctx, "tcp", addr)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	if err != nil {
		return fmt.Errorf("%w; it says:\n%s", err, p.said())
	}
	return nil
}
