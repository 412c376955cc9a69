package person

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The app answers what is sent to it; what a person does by themselves is shown at once.
func TestTheTerminalWaitsForWhatTheAppAnswers(t *testing.T) {
	for line, want := range map[string]bool{
		"/order new": true, "/order": true, "submit": true, "press Approve": true, "home": true,
		"": false, "look": false, "close": false, "goto #shoots": false, "fill Instructions = Softer.": false, "pressed": false, "see /order": false,
	} {
		require.Equal(t, want, answered(line), line)
	}
}
