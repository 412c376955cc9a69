package cli

import (
	"fmt"
	"strings"

	"darkroom/store/tenants"
)

// Tally counts workspaces and organisations.
type Tally struct{ workspaces, organisations, connected, gone int }

// Add counts an entry of the directory.
func (n *Tally) Add(e tenants.Entry) {
	if strings.HasPrefix(e.ID, "E") {
		n.organisations++
	} else {
		n.workspaces++
	}
	if e.Connected {
		n.connected++
	}
	if !e.Gone.IsZero() {
		n.gone++
	}
}

// String returns the count as a sentence.
func (n Tally) String() string {
	if n == (Tally{}) {
		return "Nobody has added the app here."
	}
	says := fmt.Sprintf("%s and %s, %d connected to a photo service",
		Count(n.workspaces, "workspace", "workspaces"), Count(n.organisations, "organisation", "organisations"), n.connected)
	if n.gone > 0 {
		says += fmt.Sprintf("; from %d the app was removed", n.gone)
	}
	return says + "."
}
