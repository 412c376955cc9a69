// Package script runs Lua scripts in Redis. A room keeps its scripts as files of its folder lua; what
// several of them need is in lua/shared. A script begins with comments that are read here:
//
//	-- Makes an order active again.            what it does
//	-- KEYS: order, active                     its keys, by the names that it knows them by
//	-- ARGS: id, doc, job.body                 its arguments, see below
//	-- USES: time, ownership                   files of lua/shared that must stand before it
//	-- CHECKS: version                         files of lua/shared that may end it at once
//	-- READS: only                             it writes nothing, see ReadsOnly
//	-- Returns 1, or 0 when there is none.     what it answers
//
// Its keys are local variables of those names, and the fields of its arguments those of the local
// a. They travel as one JSON document, of any shape; but those of a script that names them behind ARGS
// travel one by one, as they are, and are text to it. That is for large ones and for what is run often:
// Redis does nothing else while it reads a document. A shared file may begin with USES itself; time, which defines now_ms, is there for every room.
// What is checked stands between these and the script: it knows the keys and a, and what it returns is
// what the script returns.
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

// Keys are keys by the names that scripts know them by; a script takes those that it declares.
type Keys map[string]string

// Args are the arguments of a script by their names. Whole numbers travel as text, which is how Redis
// keeps them: Lua would make doubles of them. A duration becomes its milliseconds. Nothing may be nil:
// the embedded Redis reads null otherwise. What travels alone is text, such a number, or a boolean as "1" or "".
type Args map[string]any

// MarshalJSON implements [json.Marshaler].
func (a Args) MarshalJSON() ([]byte, error) {
	doc := make(map[string]any, len(a))
	for name, value := range a {
		if number, is := wholeNumber(value); is {
			value = number
		}
		doc[name] = value
	}
	return json.Marshal(doc)
}

// wholeNumber is a whole number as text; false for anything else.
func wholeNumber(value any) (string, bool) {
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

// one is the argument of that name, "outer.inner" being one of others, as it travels alone. It panics
// when there is none, or when it can only travel in a document.
func (a Args) one(name string) any {
	outer, inner, nested := strings.Cut(name, ".")
	value := a[outer]
	if within, is := value.(Args); is && nested {
		return within.one(inner)
	}
	if number, is := wholeNumber(value); is {
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

// Set is a room's scripts by their names.
type Set map[string]script

type script struct {
	*redis.Script
	keys, args []string // args: those that travel one by one; nil: all in one document
	reads      bool     // and nothing else
}

//go:embed lua/shared/*.lua
var common embed.FS

// Load reads the scripts of a room. They may also use what is in the lua/shared of others. It
// panics when a file lacks something: the files are part of the program.
func Load(room fs.FS, others ...fs.FS) Set {
	names, err := fs.Glob(room, "lua/*.lua")
	if err != nil || len(names) == 0 {
		panic("no scripts")
	}
	set, libraries := Set{}, append([]fs.FS{room, common}, others...)
	for _, name := range names {
		text := read(name, room)
		keys, args := listed(text, "KEYS"), listed(text, "ARGS")
		var used []string
		locals := "local " + strings.Join(keys, ", ") + " = unpack(KEYS)\n" + arguments(args)
		set[strings.TrimSuffix(path.Base(name), ".lua")] = script{
			redis.NewScript(shared(text, "USES", libraries, &used) + locals + shared(text, "CHECKS", libraries, &used) + text), keys, args, listed(text, "READS") != nil,
		}
	}
	return set
}

// arguments makes the local a, of the one document or of those that are named.
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

// shared is what a text says behind USES or CHECKS, each file once and behind what it uses itself.
func shared(text, what string, libraries []fs.FS, used *[]string) string {
	var before strings.Builder
	for _, name := range listed(text, what) {
		if slices.Contains(*used, name) {
			continue
		}
		*used = append(*used, name)
		library := read("lua/shared/"+name+".lua", libraries...)
		before.WriteString(shared(library, "USES", libraries, used) + library)
	}
	return before.String()
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
	header = regexp.MustCompile(`(?m)^-- (KEYS|ARGS|USES|CHECKS|READS): (.+(?:\n--   .+)*)$`)
	word   = regexp.MustCompile(`[\w.]+`)
)

// listed are the names behind KEYS, ARGS, USES, CHECKS or READS.
func listed(text, what string) []string {
	for _, found := range header.FindAllStringSubmatch(text, -1) {
		if found[1] == what {
			return word.FindAllString(found[2], -1)
		}
	}
	return nil
}

// Run runs a script. It panics when there is none of that name, or when a key that it declares is
// not among keys.
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
	return script.Run(ctx, rdb, append(named, absent(named[0])), script.travelling(args)...)
}

type readsOnly struct{}

// ReadsOnly tells a hook of the client that the command of ctx is a script which writes nothing. Redis knows it
// by EVAL_RO, but not before version 7.
func ReadsOnly(ctx context.Context) bool { return ctx.Value(readsOnly{}) != nil }

// absent names a key beside those of a script that is never there. While a cluster hands a slot to
// another node, it lets a script run where its keys are, as far as they are there yet, or are not
// there any more; and what the script then misses it takes for what never was: a job that is known
// would be put a second time, a claim given twice, a step left half done. A script that names a
// missing key beside another is answered TRYAGAIN as long as the slot moves, on either node, and
// does nothing. See https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
// (multi-keys operations).
func absent(beside string) string {
	tag, _, _ := strings.Cut(beside, "}") // a tag may hold a colon
	return tag + "}:absent"
}

// travelling are the arguments as they are sent.
func (s script) travelling(args Args) []any {
	if s.args == nil {
		document, err := json.Marshal(args)
		if err != nil {
			panic(err) // the arguments are text and numbers
		}
		return []any{string(document)}
	}
	all := make([]any, len(s.args))
	for i, name := range s.args {
		all[i] = args.one(name)
	}
	return all
}
