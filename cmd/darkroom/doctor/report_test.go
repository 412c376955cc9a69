package doctor

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestColoursAreForTerminalsOnly(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	r := Report{State: Red, Areas: []Area{{"redis", []Check{{Name: "memory", State: Red, Message: "red is full.", Fix: "Do " + strings.Repeat("something ", 20), Settings: []string{"A=b"}}}}}}
	require.NoError(t, r.write(&b, true))
	require.Contains(t, b.String(), "\x1b[31mred\x1b[0m     memory  red is full.")
	for line := range strings.SplitSeq(b.String(), "\n") {
		require.LessOrEqual(t, len(line), reportWidth+20, line)
	}
	require.False(t, colourful(&bytes.Buffer{}, nil))
	require.Contains(t, fmt.Sprint(r.summary()), "1 red. What is red must be mended.")
}
