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
	saysUses   = regexp.MustCompile(`(?m)^-- (?:USES|CHECKS): (.+)$`)
	saysChecks = regexp.MustCompile(`(?m)^-- CHECKS: (\w+)$`)
	names      = regexp.MustCompile(`\w+`)
	fields     = regexp.MustCompile(`\b(?:a|job|a\.fields|event|reply)\.([a-z_]+)\b`)
	tags       = regexp.MustCompile(`(?:"(\w+)":|json:"(\w+)|args\["(\w+)"\])`)
	buildsKey  = regexp.MustCompile(`\.p?call\('\w+', [^,)]*\.\.`)
	comments   = regexp.MustCompile(`\A(?:--[^\n]*\n)+`)
	ownComment = regexp.MustCompile(`(?m)^(-- [^\n]+\n)local function \w+`)
)

// Scripts checks the Lua scripts of a package, the files of its folder lua. Each describes itself,
// its KEYS and its result. It uses these keys and only arguments that the package's Go code names. It
// builds no names of keys, and the package runs it.
func Scripts(t *testing.T) {
	t.Helper()
	goSource, files := source(t), luaFiles(t)
	known := tags.FindAllStringSubmatch(goSource, -1)
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			t.Helper()
			if !used(strings.TrimSuffix(name, ".lua"), goSource, files) {
				t.Error("nothing uses it")
			}
			if strings.Contains(text, "{darkroom}") || buildsKey.MatchString(text) {
				t.Error("it builds the name of a key")
			}
			for _, field := range fields.FindAllStringSubmatch(text, -1) {
				if !slices.ContainsFunc(known, func(tag []string) bool { return slices.Contains(tag[1:], field[1]) }) {
					t.Errorf("no argument has the field %s", field[1])
				}
			}
			if strings.HasPrefix(name, "shared/") {
				shared(t, text)
			} else {
				script(t, text, files)
			}
		})
	}
}

// used reports whether the Go code runs a script, or whether a script uses a shared file.
func used(name, goSource string, files map[string]string) bool {
	library, isShared := strings.CutPrefix(name, "shared/")
	if !isShared {
		return strings.Contains(goSource, `"`+name+`"`)
	}
	for _, text := range files {
		for _, says := range saysUses.FindAllStringSubmatch(text, -1) {
			if slices.Contains(names.FindAllString(says[1], -1), library) {
				return true
			}
		}
	}
	return false
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

func script(t *testing.T, text string, files map[string]string) {
	t.Helper()
	head := comments.FindString(text)
	says := saysKeys.FindStringSubmatch(head)
	if says == nil || strings.HasPrefix(head, "-- KEYS") || !strings.Contains(head, "\n-- Returns ") {
		t.Fatal("it must begin with what it does, its KEYS and what it returns")
	}
	if strings.Contains(text, "ARGV") || strings.Contains(text, "KEYS[") {
		t.Error("its keys and its arguments have names")
	}
	_, body, _ := strings.Cut(text, "\n-- Returns ")
	if says := saysChecks.FindStringSubmatch(head); says != nil {
		name := "shared/" + says[1] + ".lua"
		if _, own := files[name]; !own { // it belongs to the parent package
			around, _ := os.ReadFile(path.Join("../lua", name))
			files[name] = string(around)
		}
		body += files[name]
	}
	for _, key := range names.FindAllString(says[1], -1) {
		if !slices.Contains(names.FindAllString(body, -1), key) && key != "stream" {
			t.Errorf("it does not use the key %s", key)
		}
	}
}

// luaFiles returns the files of the folder lua, by name.
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

// source returns the Go source of the tested package and of its sub-packages.
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
