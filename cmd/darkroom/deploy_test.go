package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
)

// setName is a variable that a file of deploy/ sets for the app: NAME=…, NAME: … or name: NAME.
var setName = regexp.MustCompile(`(?m)^\s*(?:Environment=|- name: )?((?:SLACK|UPSTREAM|REDIS|PUBLIC|FILE|LISTEN|ADMIN|POLL|OPERATORS|OPS|LOW|SERVICE|RETENTION|LOG)[A-Z_]*)(?:=|: |$)`)

func TestWhatDeploySetsIsWhatTheAppReads(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"compose.yaml", "env.example", "systemd/darkroom@.service", "kubernetes/deployment.yaml", "kubernetes/settings.env"} {
		text, err := os.ReadFile("../../deploy/" + file)
		require.NoError(t, err)
		found := setName.FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, found, file)
		for _, name := range found {
			require.Contains(t, config.Wants(), strings.TrimSuffix(name[1], "_FILE"), "%s sets %s", file, name[1])
		}
	}
}
