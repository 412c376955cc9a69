package bot

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhyAConnectionEndedIsOneOfFewWords(t *testing.T) {
	for err, reason := range map[error]string{
		fmt.Errorf("%w: %q", errRefresh, "warning"): SocketRefresh, errSilent: SocketSilent, errSwitchedOff: SocketOff, errTooManyConns: SocketTooMany,
		errors.New("connection reset by U123"): SocketFailed,
	} {
		require.Equal(t, reason, lostReason(err))
		require.Contains(t, SocketReasons(), reason)
	}
}
