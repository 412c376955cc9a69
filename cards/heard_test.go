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

// Voice control presses a button by its visible label, so the accessible label must begin with it.
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

// eachLabeled calls do for each button with an accessible label.
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
