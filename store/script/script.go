// Package script runs Lua scripts in Redis. A package has its scripts in its folder lua, and shared code
// in lua/shared. A script begins with comments that this package reads:
//
//	-- Makes an order active again.            what it does
//	-- KEYS: order, active                     the names of its keys
//	-- ARGS: id, doc, job.body                 the names of its arguments, see below
//	-- USES: time, ownership                   files of lua/shared to put before it
//	-- CHECKS: version                         files of lua/shared that may end it at once
//	-- READS: only                             it writes nothing, see ReadsOnly
//	-- Returns 1, or 0 for an unknown order.   what it returns
//
// The keys become local variables with these names, and the arguments fields of the local a. The
// arguments travel as one JSON document of any shape. With ARGS, they travel one by one, as text. Use
// that for large arguments and for scripts that run often: decoding a document blocks Redis. A shared
// file may begin with USES itself. The file time, which defines now_ms, is there for every package.
// Checks run before the script, with its keys and a. If a check returns, the script does not run.
package script

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Keys maps the names that a script declares to keys. Other names are ignored.
type Keys map[string]string

// Args maps names to the arguments of a script. Integers travel as text, since Lua would turn them into
// doubles. A duration becomes its milliseconds. No value may be nil: the embedded Redis decodes null
// differently. Arguments behind ARGS are text, integers, durations, or booleans as "1" or "".
type Args map[string]any

// MarshalJSON implements [json.Marshaler].
func (a Args) MarshalJSON() ([]byte, error) {
	doc := make(map[string]any, len(a))
	for name, value := range a {
		if number, is := formatInt(value); is {
			value = number
		}
		doc[name] = value
	}
	return json.Marshal(doc)
}

// formatInt returns an integer or a duration as text; false: value is neither.
func formatInt(value any) (string, bool) {
	switch v := value.(type) {
	case int:
		return strconv.Itoa(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case time.Duration:
		return strconv.FormatInt(v.Milliseconds(), 10), true
	}
	return "", false
}

// positional returns an argument as text; the name "outer.inner" means a field of another argument. It panics
// if the argument is missing, or needs a document.
func (a Args) positional(name string) any {
	outer, inner, nested := strings.Cut(name, ".")
	value := a[outer]
	if within, is := value.(Args); is && nested {
		return within.positional(inner)
	}
	if number, is := formatInt(value); is {
		return number
	}
	switch v := value.(type) {
	case string, []byte:
		return v
	case bool:
		if v {
			return "1"
		}
		return ""
	}
	panic(fmt.Sprintf("argument %s: a %T does not travel alone", name, value))
}

// Set maps the names of a package's scripts to scripts.
type Set map[string]script

type script struct {
	*redis.Script
	keys, args []string // args: behind ARGS; nil: one document
	reads      bool     // it writes nothing
}

//go:embed lua/shared/*.lua
var commonFiles embed.FS

// Load reads the scripts of a package. They may also use the lua/shared of libraries. It panics if a file
// is missing or incomplete: the files are part of the program.
func Load(scripts fs.FS, libraries ...fs.FS) Set {
	names, err := fs.Glob(scripts, "lua/*.lua")
	if err != nil || len(names) == 0 {
		panic("no scripts")
	}
	set, sources := Set{}, append([]fs.FS{scripts, commonFiles}, libraries...)
	for _, name := range names {
		text := read(name, scripts)
		keys, args := headerNames(text, "KEYS"), headerNames(text, "ARGS")
		var used []string
		locals := "local " + strings.Join(keys, ", ") + " = unpack(KEYS)\n" + arguments(args)
		set[strings.TrimSuffix(path.Base(name), ".lua")] = script{
			redis.NewScript(include(text, "USES", sources, &used) + locals + include(text, "CHECKS", sources, &used) + text), keys, args, headerNames(text, "READS") != nil,
		}
	}
	return set
}

// arguments returns the Lua code that defines a, from one document or from the named arguments.
func arguments(named []string) string {
	if named == nil {
		return "local a = cjson.decode(ARGV[1])\n"
	}
	var lua strings.Builder
	lua.WriteString("local a = {}\n")
	outers := map[string]bool{}
	for i, name := range named {
		if outer, _, nested := strings.Cut(name, "."); nested && !outers[outer] {
			outers[outer] = true
			lua.WriteString("a." + outer + " = {}\n")
		}
		fmt.Fprintf(&lua, "a.%s = ARGV[%d]\n", name, i+1)
	}
	return lua.String()
}

// include returns the shared files that a script's header lists. Each file comes once, after the files that it uses.
func include(text, header string, libraries []fs.FS, used *[]string) string {
	var included strings.Builder
	for _, name := range headerNames(text, header) {
		if slices.Contains(*used, name) {
			continue
		}
		*used = append(*used, name)
		library := read("lua/shared/"+name+".lua", libraries...)
		included.WriteString(include(library, "USES", libraries, used) + library)
	}
	return included.String()
}

func read(name string, libraries ...fs.FS) string {
	for _, library := range libraries {
		if text, err := fs.ReadFile(library, name); err == nil {
			return string(text)
		}
	}
	panic("no file " + name)
}

var (
	headerLine  = regexp.MustCompile(`(?m)^-- (KEYS|ARGS|USES|CHECKS|READS): (.+(?:\n--   .+)*)$`)
	namePattern = regexp.MustCompile(`[\w.]+`)
)

// headerNames returns the names behind KEYS, ARGS, USES, CHECKS or READS; nil: the script has no such header.
func headerNames(text, header string) []string {
	end := 0 // of the comments at the beginning
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "--") {
			break
		}
		end += len(line)
	}
	for _, found := range headerLine.FindAllStringSubmatch(text[:end], -1) {
		if found[1] == header {
			return namePattern.FindAllString(found[2], -1)
		}
	}
	return nil
}

// Run runs a script. It panics if the name is unknown, or if keys lacks a key that the script declares.
func (s Set) Run(ctx context.Context, rdb redis.Scripter, name string, keys Keys, args Args) *redis.Cmd {
	script, known := s[name]
	if !known {
		panic("no script " + name)
	}
	named := make([]string, len(script.keys), len(script.keys)+1)
	for i, key := range script.keys {
		if named[i] = keys[key]; named[i] == "" {
			panic("script " + name + " was given no key " + key)
		}
	}
	if script.reads {
		ctx = context.WithValue(ctx, readsOnly{}, true)
	}
	return script.Run(ctx, rdb, append(named, missingKey(named[0])), script.wireArgs(args)...)
}

type readsOnly struct{}

// ReadsOnly tells a hook of the client whether the command of ctx is a script that writes nothing. EVAL_RO would
// tell, but needs Redis 7.
func ReadsOnly(ctx context.Context) bool { return ctx.Value(readsOnly{}) != nil }

// missingKey names a key in the slot of key that never exists. While a cluster moves a slot to another node,
// it may run a script on a node that has only some of the keys. The script would take the others for
// missing: it would put a known job again, or give a claim twice. With an existing and a missing key, both
// nodes answer TRYAGAIN while the slot moves, and the script does not run. See
// https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/ (multi-keys operations).
func missingKey(key string) string {
	tag, _, _ := strings.Cut(key, "}") // a tag may hold a colon
	return tag + "}:absent"
}

// wireArgs returns the arguments as they are sent.
func (s script) wireArgs(args Args) []any {
	if s.args == nil {
		document, err := json.Marshal(args)
		if err != nil {
			panic(err) // the arguments are text and numbers
		}
		return []any{string(document)}
	}
	all := make([]any, len(s.args))
	for i, name := range s.args {
		all[i] = args.positional(name)
	}
	return all
}
