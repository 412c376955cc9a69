package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// moving is a page whose button goes elsewhere under the finger, the first time.
const moving = `<!doctype html><title>Moving</title><main>
<div id=gap></div><button>Deliver</button><p id=told>not yet</p>
<script>
const button = document.querySelector("button");
button.addEventListener("pointerdown", () => { document.getElementById("gap").style.height = "200px"; });
button.addEventListener("click", () => { document.getElementById("told").textContent = "delivered"; });
</script>`

func TestAButtonThatMovesUnderTheFingerIsPressedAgain(t *testing.T) {
	if _, err := browser.Installed(); err != nil {
		require.NotEqual(t, "1", os.Getenv("DARKROOM_TEST_REQUIRE_BROWSER"), "%v", err)
		t.Skip(err)
	}
	chromium, err := browser.Start()
	require.NoError(t, err)
	t.Cleanup(chromium.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, moving)
	}))
	t.Cleanup(server.Close)
	x := chromium.Open(t, server.URL, browser.Options{})
	x.Press("Deliver")
	x.Sees("delivered")
}
