package main

import (
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
)

// An operator finds each variable in docs/configuration.md, those of OpenTelemetry in docs/tracing.md.
func TestEveryVariableIsDocumented(t *testing.T) {
	var pages string
	for _, page := range []string{"configuration.md", "tracing.md"} {
		text, err := os.ReadFile("../../docs/" + page)
		require.NoError(t, err)
		pages += string(text)
	}
	for field := range reflect.TypeFor[config.Config]().Fields() {
		if name := field.Tag.Get("env"); name != "" {
			assert.Contains(t, pages, "`"+name+"`")
		}
	}
}
