package conn_test

import (
	"testing"

	"darkroom/store/storetest"
)

func TestTheScriptsKeepWhatTheyPromise(t *testing.T) { storetest.Scripts(t) }
