package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rooms are where the app's own code is, from here.
var rooms = []string{"access", "bot", "cards", "cmd", "commands", "files", "jobs", "notifier", "order", "store", "upstream"}

// An operator finds each line of the log that warns, and what to do about it; and finds none there that
// the app does not say any more.
func TestEveryWarningOfTheLogIsExplained(t *testing.T) {
	page, err := os.ReadFile("../../docs/troubleshoot.md")
	require.NoError(t, err)
	_, log, found := strings.Cut(string(page), "\n## The log\n")
	require.True(t, found)
	explained := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(log, -1) {
		require.False(t, explained[row[1]], "explained twice: %s", row[1])
		explained[row[1]] = true
	}
	require.Equal(t, warnings(t), slices.Sorted(maps.Keys(explained)))
}

// warnings are the messages that the app logs as a warning or an error.
func warnings(t *testing.T) []string {
	t.Helper()
	said := map[string]bool{}
	for _, room := range rooms {
		require.NoError(t, filepath.WalkDir("../../"+room, func(path string, d fs.DirEntry, err error) error {
			if d.IsDir() && d.Name() == "storetest" {
				return fs.SkipDir
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if message, ok := warning(n); ok {
					said[message] = true
				}
				return true
			})
			return nil
		}))
	}
	return slices.Sorted(maps.Keys(said))
}

// warning is the message of a call of a logger, when it is one that warns.
func warning(n ast.Node) (string, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	at := map[string]int{"Warn": 0, "Error": 0, "WarnContext": 1, "ErrorContext": 1, "Log": 2}
	place, ok := at[method.Sel.Name]
	if !ok || len(call.Args) <= place {
		return "", false
	}
	if method.Sel.Name == "Log" {
		if _, asks := call.Args[1].(*ast.CallExpr); !asks { // the level is not what bot.LogLevel says
			return "", false
		}
	}
	text, ok := call.Args[place].(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return "", false
	}
	message, err := strconv.Unquote(text.Value)
	return message, err == nil
}

// A reader who follows a link of these pages arrives: the file is there, and so is the heading.
func TestEveryLinkOfTheDocsArrives(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, link := range links.FindAllStringSubmatch(string(text), -1) {
			target, heading, _ := strings.Cut(link[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			to := page
			if target != "" {
				to = filepath.Join(filepath.Dir(page), target)
				require.FileExists(t, to, "%s links to it", page)
			}
			if heading != "" {
				require.Contains(t, headings(t, to), heading, "%s links to %s", page, link[1])
			}
		}
	}
}

// pages are all pages of the project.
func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../deploy/*.md", "../../deploy/*/*.md"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		all = append(all, found...)
	}
	require.NotEmpty(t, all)
	return all
}

// headings are the anchors of a page, as hosts of Markdown make them.
func headings(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	var anchors []string
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, h := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(text), -1) {
		anchors = append(anchors, strings.ReplaceAll(strings.ToLower(drop.ReplaceAllString(h[1], "")), " ", "-"))
	}
	return anchors
}
