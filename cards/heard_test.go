package cards_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Who says what they read on a button, to a machine that listens, must press it: what the button is called begins
// with its words.
func TestAButtonIsCalledWhatStandsOnIt(t *testing.T) {
	looked := 0
	files := os.DirFS(".")
	require.NoError(t, fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".json" {
			return err
		}
		golden, err := fs.ReadFile(files, name)
		require.NoError(t, err)
		var any any
		require.NoError(t, json.Unmarshal(golden, &any), name)
		eachLabeled(any, func(text, label string) {
			looked++
			require.True(t, strings.HasPrefix(label, text), "%s: %q is called %q", name, text, label)
		})
		return nil
	}))
	require.Positive(t, looked)
}

// eachLabeled calls do with the words and the name of each button that has one of its own.
func eachLabeled(in any, do func(text, label string)) {
	switch v := in.(type) {
	case []any:
		for _, one := range v {
			eachLabeled(one, do)
		}
	case map[string]any:
		label, _ := v["accessibility_label"].(string)
		if text, is := v["text"].(map[string]any); is && v["type"] == "button" && label != "" {
			words, _ := text["text"].(string)
			do(words, label)
		}
		for _, one := range v {
			eachLabeled(one, do)
		}
	}
}
