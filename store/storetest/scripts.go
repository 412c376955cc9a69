package storetest

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	saysKeys   = regexp.MustCompile(`(?m)^-- KEYS: (.+(?:\n--   .+)*)$`)
	takesKeys  = regexp.MustCompile(`(?m)^local ([\w, \n]+) = unpack\(KEYS\)$`)
	names      = regexp.MustCompile(`\w+`)
	fields     = regexp.MustCompile(`\b(?:a|job|a\.fields|event|reply)\.([a-z_]+)\b`)
	tags       = regexp.MustCompile(`json:"(\w+)`)
	argument   = regexp.MustCompile(`cjson\.decode\(ARGV\[1\]\)`)
	buildsKey  = regexp.MustCompile(`\.p?call\('\w+', [^,)]*\.\.`)
	ownComment = regexp.MustCompile(`(?m)^(-- [^\n]+\n)local function \w+`)
)

// Scripts holds the Lua scripts of a room, the files of its folder lua, to what they promise:
// each says what it does, its KEYS by name and what it returns; it takes one argument, whose
// fields the room knows; it builds no name of a key; and the room uses it.
func Scripts(t *testing.T) {
	t.Helper()
	room := source(t)
	for name, text := range luaFiles(t) {
		t.Run(name, func(t *testing.T) {
			t.Helper()
			if !strings.Contains(room, `"`+strings.TrimSuffix(name, ".lua")+`"`) {
				t.Error("nothing uses it")
			}
			if strings.Contains(text, "{darkroom}") || buildsKey.MatchString(text) {
				t.Error("it builds the name of a key")
			}
			known := tags.FindAllStringSubmatch(room, -1)
			for _, field := range fields.FindAllStringSubmatch(text, -1) {
				if !slices.ContainsFunc(known, func(tag []string) bool { return tag[1] == field[1] }) {
					t.Errorf("no argument has the field %s", field[1])
				}
			}
			if strings.HasPrefix(name, "shared/") {
				shared(t, text)
			} else {
				script(t, text)
			}
		})
	}
}

func shared(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, "ARGV") || strings.Contains(text, "KEYS") {
		t.Error("what scripts share gets what it needs from them")
	}
	if len(ownComment.FindAllString(text, -1)) != strings.Count("\n"+text, "\nlocal function ") {
		t.Error("a function does not say what it does")
	}
}

func script(t *testing.T, text string) {
	t.Helper()
	head, _, _ := strings.Cut(text, "\nlocal ")
	says := saysKeys.FindStringSubmatch(head)
	if says == nil || strings.HasPrefix(head, "-- KEYS") || !strings.Contains(head, "\n-- Returns ") {
		t.Fatal("it must begin with what it does, its KEYS and what it returns")
	}
	if strings.Count(text, "ARGV") != len(argument.FindAllString(text, 1)) {
		t.Error("it must take one argument, as JSON")
	}
	takes := takesKeys.FindStringSubmatch(text)
	if takes == nil && strings.Contains(text, "unpack(KEYS)") ||
		takes != nil && !slices.Equal(names.FindAllString(takes[1], -1), names.FindAllString(says[1], -1)) {
		t.Error("its KEYS are other ones than it says")
	}
	if takes == nil && says[1] != "stream" {
		t.Error("it must take its KEYS by name")
	}
}

// luaFiles are the files of the folder lua, by name.
func luaFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	folder := os.DirFS("lua")
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(folder, name)
		files[name] = string(text)
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts: ", err)
	}
	return files
}

// source is the Go source of the room whose test runs, and of the rooms in it.
func source(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	found, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	inside, err := fs.Glob(os.DirFS("."), "*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(found, inside...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := os.ReadFile(path.Clean(name))
		if err != nil {
			t.Fatal(err)
		}
		text.Write(file)
	}
	return text.String()
}
