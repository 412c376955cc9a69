package person_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAConversationInTheTerminalShowsWhatEachLineBrought(t *testing.T) {
	w := start(t)
	maria := w.someone("maria")
	require.NoError(t, maria.Goto("#weddings"))
	var out bytes.Buffer
	lines := "/order new\nfill One per line\nfill One per line = https://a/b.jpg\nclose\nhelp\nquit\nlook\n"
	maria.Converse(t.Context(), "https://samples/beach.jpg", strings.NewReader(lines), &out)
	parts := strings.Split(out.String(), "> ")
	require.Len(t, parts, 7, "nothing is read after quit: %s", out.String())
	require.Contains(t, parts[0], "/order new https://samples/beach.jpg")
	require.Contains(t, parts[1], "New photo order")
	require.Contains(t, parts[2], "this needs")
	require.Contains(t, parts[3], "https://a/b.jpg")
	require.NotContains(t, parts[4], "New photo order")
	require.Equal(t, parts[0], parts[5])
	require.Equal(t, "Bye.\n", parts[6])
}
