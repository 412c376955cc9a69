// Package script runs Lua scripts in Redis. A room keeps its scripts as files of its folder lua; what
// several of them need is in lua/shared. A script begins with comments that are read here:
//
//	-- Makes an order active again.            what it does
//	-- KEYS: order, active                     its keys, by the names that it knows them by
//	-- USES: time, ownership                   files of lua/shared that must stand before it
//	-- CHECKS: version                         files of lua/shared that may end it at once
//	-- Returns 1, or 0 when there is none.     what it answers
//
// Its keys are local variables of those names, and the fields of its arguments those of the local
// a. A shared file may begin with USES itself; time, which defines now_ms, is there for every room.
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
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Keys are keys by the names that scripts know them by; a script takes those that it declares.
type Keys map[string]string

// Args are the arguments of a script by their names. They travel as one JSON document. Whole numbers
// travel in it as text, which is how Redis keeps them: Lua would make doubles of them. A duration
// becomes its milliseconds. Nothing may be nil: the embedded Redis reads null otherwise.
type Args map[string]any

// MarshalJSON implements [json.Marshaler].
func (a Args) MarshalJSON() ([]byte, error) {
	doc := make(map[string]any, len(a))
	for name, value := range a {
		switch v := value.(type) {
		case int, int64:
			value = fmt.Sprint(v)
		case time.Duration:
			value = fmt.Sprint(v.Milliseconds())
		}
		doc[name] = value
	}
	return json.Marshal(doc)
}

// Set is a room's scripts by their names.
type Set map[string]script

type script struct {
	*redis.Script
	keys []string
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
		keys := listed(text, "KEYS")
		var used []string
		locals := "local " + strings.Join(keys, ", ") + " = unpack(KEYS)\nlocal a = cjson.decode(ARGV[1])\n"
		set[strings.TrimSuffix(path.Base(name), ".lua")] = script{
			redis.NewScript(shared(text, "USES", libraries, &used) + locals + shared(text, "CHECKS", libraries, &used) + text), keys,
		}
	}
	return set
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
	header = regexp.MustCompile(`(?m)^-- (KEYS|USES|CHECKS): (.+(?:\n--   .+)*)$`)
	word   = regexp.MustCompile(`\w+`)
)

// listed are the names behind KEYS, USES or CHECKS.
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
	named := make([]string, len(script.keys))
	for i, key := range script.keys {
		if named[i] = keys[key]; named[i] == "" {
			panic("script " + name + " was given no key " + key)
		}
	}
	argument, err := json.Marshal(args)
	if err != nil {
		panic(err) // the arguments are text and numbers
	}
	return script.Run(ctx, rdb, named, string(argument))
}
