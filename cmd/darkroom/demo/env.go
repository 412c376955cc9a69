//go:build !production

package demo

import (
	"fmt"
	"os"
	"strings"
)

// opsChannel is the operations channel of the demo with --env: #shoots.
const opsChannel = "C0SHOOTS"

// writeEnv writes the app's environment to a file for a shell; "" writes no file. Its secrets open only the
// demo. Its first line shows how to use it in a subshell, so that the terminal does not keep the demo's addresses.
func (s *stage) writeEnv(path string) error {
	if path == "" {
		return nil
	}
	var b strings.Builder
	b.WriteString("# The environment of a running demo. In another terminal: ( . ./FILE && go run ./cmd/darkroom doctor )\n")
	for _, line := range s.app.environ {
		name, value, _ := strings.Cut(line, "=")
		fmt.Fprintf(&b, "export %s='%s'\n", name, strings.ReplaceAll(value, "'", `'\''`))
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		return fmt.Errorf("--env: %w", err)
	}
	return nil
}
