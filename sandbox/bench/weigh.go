package main

import (
	"bufio"
	"bytes"
	"cmp"
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// weighResult says what the binary's bytes and the idle memory are.
type weighResult struct {
	Binary   int64    `json:"binary"`   // bytes, stripped
	Packages []weight `json:"packages"` // code and data by room and library
	Sections []weight `json:"sections"` // of the stripped file
	Mappings []weight `json:"mappings"` // of the idle process: resident bytes
	Heap     []weight `json:"heap"`     // of the idle process: live bytes, by who asked for them
}

// weight is something and its bytes.
type weight struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Code  int64  `json:"code,omitempty"` // of Bytes
}

// weigh takes the production binary apart: once as it is, once with its symbols, and once with
// every allocation sampled.
func (b *bench) weigh() (err error) {
	r := &weighResult{}
	info, err := os.Stat(b.binary())
	if err != nil {
		return err
	}
	r.Binary = info.Size()
	if r.Sections, err = sections(b.binary()); err != nil {
		return err
	}
	named := filepath.Join(b.o.dir, "darkroom-named")
	if err := command(b.ctx, "go", "build", "-tags", "production", "-o", named, "darkroom/cmd/darkroom"); err != nil {
		return err
	}
	if r.Packages, err = packages(named); err != nil {
		return err
	}
	if r.Mappings, err = b.mappings(); err != nil {
		return err
	}
	r.Heap, err = b.heap()
	b.results.Weigh = r
	return err
}

// sections are what the file consists of.
func sections(binary string) ([]weight, error) {
	file, err := elf.Open(binary)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var all tally
	for _, s := range file.Sections {
		if s.Type == elf.SHT_NOBITS || s.Size == 0 {
			continue
		}
		all.add(cmp.Or(sectionNames[s.Name], "the rest"), int64(s.Size), 0)
	}
	return all.sorted(), nil
}

var sectionNames = map[string]string{
	".text": "code (.text)", ".rodata": "constants, strings and types (.rodata)", ".gopclntab": "tables of functions and lines (.gopclntab)",
	".data": "variables", ".noptrdata": "variables",
}

// packages are the symbols' sizes, by room and library.
func packages(binary string) ([]weight, error) {
	modules, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	file, err := elf.Open(binary)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	var all tally
	for _, s := range symbols {
		if int(s.Section) >= len(file.Sections) {
			continue
		}
		in := file.Sections[s.Section]
		if in.Type == elf.SHT_NOBITS { // it takes no room in the file
			continue
		}
		code := int64(0)
		if in.Name == ".text" {
			code = int64(s.Size)
		}
		all.add(owner(packageOf(s.Name), modules), int64(s.Size), code)
	}
	return all.sorted(), nil
}

// packageOf is the import path in a symbol's name; "" is none.
func packageOf(symbol string) string {
	name, _, _ := strings.Cut(symbol, "[")
	if strings.HasPrefix(name, "go:") || strings.HasPrefix(name, "type:") {
		return ""
	}
	slash := strings.LastIndex(name, "/") + 1
	last, _, dotted := strings.Cut(name[slash:], ".")
	if !dotted {
		return ""
	}
	return strings.ReplaceAll(name[:slash]+last, "%2e", ".")
}

// owner is the room, the module or the part of the standard library that a package belongs to.
func owner(path string, modules *buildinfo.BuildInfo) string {
	first, rest, _ := strings.Cut(path, "/")
	switch {
	case path == "":
		return "without a package: types, strings, the linker's own"
	case path == "main" || strings.HasPrefix(path, "darkroom/cmd"):
		return "darkroom/cmd"
	case first == "darkroom":
		room, _, _ := strings.Cut(rest, "/")
		return "darkroom/" + room
	case strings.Contains(first, "."):
		for _, m := range modules.Deps {
			if path == m.Path || strings.HasPrefix(path, m.Path+"/") {
				return m.Path
			}
		}
		return path
	case first == "vendor":
		return "Go: vendored x/…"
	}
	return "Go: " + first
}

// tally sums weights by name.
type tally struct{ by map[string]weight }

func (t *tally) add(name string, size, code int64) {
	if t.by == nil {
		t.by = map[string]weight{}
	}
	w := t.by[name]
	t.by[name] = weight{Name: name, Bytes: w.Bytes + size, Code: w.Code + code}
}

// sorted are the weights, the heaviest first.
func (t *tally) sorted() []weight {
	var all []weight
	for _, w := range t.by {
		if w.Bytes > 0 {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b weight) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name)) })
	return all
}

// mappings are the resident bytes of the idle process, by what they are.
func (b *bench) mappings() ([]weight, error) {
	w, err := b.startWorld()
	if err != nil {
		return nil, err
	}
	defer w.close()
	if err := b.pause(b.o.quiet); err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(w.app.proc("smaps"))
	if err != nil {
		return nil, err
	}
	return parseMappings(raw), nil
}

// parseMappings sums Rss in what /proc/PID/smaps says.
func parseMappings(raw []byte) []weight {
	var all tally
	kind := ""
	for line := range strings.Lines(string(raw)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) >= 5 && strings.Contains(fields[0], "-"):
			kind = mappingKind(fields[1], strings.Join(fields[5:], " "))
		case len(fields) == 3 && fields[0] == "Rss:":
			kb, _ := strconv.ParseInt(fields[1], 10, 64)
			all.add(kind, kb<<10, 0)
		}
	}
	return all.sorted()
}

// mappingKind is what a mapping is, by its rights and the name that the kernel gives it.
func mappingKind(rights, name string) string {
	switch {
	case strings.HasSuffix(name, "/darkroom") && strings.Contains(rights, "x"):
		return "the binary: code that ran"
	case strings.HasSuffix(name, "/darkroom") && strings.Contains(rights, "w"):
		return "the binary: variables"
	case strings.HasSuffix(name, "/darkroom"):
		return "the binary: constants and tables that were read"
	case strings.HasPrefix(name, "[anon: Go: "):
		return "Go: " + strings.TrimSuffix(strings.TrimPrefix(name, "[anon: Go: "), "]")
	case name == "" || strings.HasPrefix(name, "[heap") || strings.HasPrefix(name, "[anon"):
		return "anonymous: variables that begin as zero, the heap where the kernel names none"
	case strings.HasPrefix(name, "["):
		return "stack and kernel pages"
	}
	return "C library"
}

// profiler is one more file of the binary: on SIGUSR1 it writes a profile of the heap. It is laid over
// the package by go build -overlay and is in no other binary.
const profiler = `package main

import (
	"os"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"syscall"
)

func init() {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGUSR1)
	go func() {
		<-told
		runtime.GC()
		f, err := os.Create(os.Getenv("HEAP_PROFILE") + ".part")
		if err == nil && pprof.WriteHeapProfile(f) == nil && f.Close() == nil {
			_ = os.Rename(f.Name(), os.Getenv("HEAP_PROFILE"))
		}
	}()
}
`

// heap are the live bytes of the idle process after a collection, by who asked for them.
func (b *bench) heap() ([]weight, error) {
	binary, err := b.buildProfiled()
	if err != nil {
		return nil, err
	}
	w, err := b.startWorld("POLL_SCHEDULE=@every 1h") // the outsides, and a binary that is not looked at
	if err != nil {
		return nil, err
	}
	defer w.close()
	profile := filepath.Join(b.o.dir, "heap.pprof")
	app, addr, err := b.launchDarkroom(binary, environ(w.slack, w.service, w.redis, "HEAP_PROFILE="+profile, "GODEBUG=memprofilerate=1"))
	if err != nil {
		return nil, err
	}
	if err := errors.Join(b.listening(app, addr), b.pause(b.o.quiet/2), app.cmd.Process.Signal(syscall.SIGUSR1)); err != nil {
		return nil, err
	}
	err = b.until("the profile", b.o.quiet+20e9, 50e6, func() bool {
		_, err := os.Stat(profile)
		return err == nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w; it says:\n%s", err, app.said())
	}
	modules, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	traces, err := exec.CommandContext(b.ctx, "go", "tool", "pprof", "-traces", "-unit=b", "-sample_index=inuse_space", profile).Output()
	return parseTraces(traces, modules), err
}

// buildProfiled builds the production binary with the profiler laid over it.
func (b *bench) buildProfiled() (string, error) {
	source, overlay, binary := filepath.Join(b.o.dir, "profiler.go"), filepath.Join(b.o.dir, "overlay.json"), filepath.Join(b.o.dir, "darkroom-profiled")
	at, err := filepath.Abs("cmd/darkroom/zz_profiler.go")
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(map[string]any{"Replace": map[string]string{at: source}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(source, []byte(profiler), 0o600), os.WriteFile(overlay, raw, 0o600)); err != nil {
		return "", err
	}
	return binary, command(b.ctx, "go", "build", "-overlay", overlay, "-tags", "production", "-o", binary, "darkroom/cmd/darkroom")
}

// parseTraces sums the samples of `go tool pprof -traces` by the innermost frame that is not Go's own,
// else by the innermost.
func parseTraces(traces []byte, modules *buildinfo.BuildInfo) []weight {
	var all tally
	var size int64
	who := ""
	done := func() {
		if size > 0 {
			all.add(cmp.Or(who, "Go"), size, 0)
		}
		size, who = 0, ""
	}
	lines := bufio.NewScanner(bytes.NewReader(traces))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if strings.HasPrefix(lines.Text(), "-----------+") {
			done()
			continue
		}
		if len(fields) == 0 || strings.HasSuffix(fields[0], ":") {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSuffix(fields[0], "B"), 10, 64); err == nil && len(fields) > 1 {
			size, fields = n, fields[1:]
		}
		frame := owner(packageOf(fields[0]), modules)
		if who == "" || strings.HasPrefix(who, "Go: ") && !strings.HasPrefix(frame, "Go: ") && size > 0 {
			who = frame
		}
	}
	done()
	return all.sorted()
}
