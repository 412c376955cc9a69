package workspace

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the app is known to send passes the checks that it meets here, nested blocks counted.
func TestEveryGoldenFileIsTaken(t *testing.T) {
	w := New(Options{})
	t.Cleanup(w.Close)
	goldens := os.DirFS("../../cards")
	taken := map[surface]int{}
	require.NoError(t, fs.WalkDir(goldens, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(name, "testdata/") || path.Ext(name) != ".json" {
			return err
		}
		raw, err := fs.ReadFile(goldens, name)
		require.NoError(t, err)
		var golden object
		require.NoError(t, json.Unmarshal(raw, &golden), name)
		on, problems := w.refusals(golden)
		taken[on]++
		require.Empty(t, strings.Join(problems, "\n"), name)
		return nil
	}))
	for _, on := range []surface{inMessage, inModal, inHome} {
		require.NotZero(t, taken[on], on)
	}
}

// refusals are the problems of a message or a view, but for pictures that nobody serves here, and where
// it is shown.
func (w *Workspace) refusals(shown object) (surface, []string) {
	on := inMessage
	if kind := surface(str(shown, "type")); kind == inModal || kind == inHome {
		on = kind
	}
	c := w.newChecker(on)
	if on == inMessage {
		c.blocks("/blocks", objects(shown["blocks"]))
		if c.text > maxBlocksText {
			c.fail("/blocks", "msg_blocks_too_long")
		}
		return on, c.problems
	}
	c.frame(shown)
	c.blocks("/view/blocks", objects(shown["blocks"]))
	c.submit(shown)
	if len(encode(shown)) > maxViewBytes {
		c.fail("/view", "view_too_large")
	}
	return on, c.problems
}
