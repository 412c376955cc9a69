package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// pinTries is how often a person saves a pin that the page did not call saved.
const pinTries = 5

var shownPhoto = regexp.MustCompile(`data-photo="([^"]+)"`)

// points returns what a person does in the form for changes before they send it: they open the page for pins once, and set
// one or two on the first photo, as the page's script does. Each goes with that request.
func (p *player) points(ctx context.Context, request *act) func(v workspace.View) bool {
	left := 1 + p.rand.IntN(2)
	if !p.chance(75) && !p.o.Pointing {
		left = 0
	}
	return func(v workspace.View) bool {
		for ; left > 0; left-- {
			p.pin(ctx, linkIn(v, "Mark on the Pictures"), request)
		}
		return true
	}
}

func (p *player) pin(ctx context.Context, page string, request *act) {
	photo := shownPhoto.FindStringSubmatch(p.browse(ctx, http.MethodGet, page, ""))
	if photo == nil {
		p.ledger.note("could not open the page for pins")
		return
	}
	a := p.act(actPin, p.token("Remove the stain"))
	a.with = request
	body, err := json.Marshal(map[string]any{"id": a.token, "photo": photo[1], "x": 100, "y": 100, "words": a.token})
	if err != nil {
		return
	}
	for range pinTries {
		if strings.Contains(p.browse(ctx, http.MethodPost, page, string(body)), `{"pins":`) {
			a.ack()
			return
		}
		pause(ctx, look)
	}
	p.ledger.note("a pin was not saved")
}

// browse asks the app as a browser does. It returns "" for anything but a good answer.
func (p *player) browse(ctx context.Context, method, address, body string) string {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return ""
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return ""
	}
	defer func() { _ = resp.Body.Close() }()
	said, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil || resp.StatusCode != http.StatusOK {
		return ""
	}
	return string(said)
}

// linkIn returns the address of a link button, or "".
func linkIn(v workspace.View, label string) string {
	for _, block := range v.Blocks {
		elements, _ := block["elements"].([]any)
		for _, one := range elements {
			element, _ := one.(map[string]any)
			if address, _ := element["url"].(string); address != "" && strings.Contains(fmt.Sprint(element["text"]), label) {
				return address
			}
		}
	}
	return ""
}

// pinned counts how often the service was asked for what a pin says.
func pinned(o photos.Order, words string) (n int) {
	for _, r := range o.Revisions {
		for _, lines := range r {
			for _, line := range lines {
				if strings.HasSuffix(line, words) {
					n++
				}
			}
		}
	}
	return n
}

// pin holds a pin against what the service has: its words once, and one marked crop at most.
func (c *comparison) pin(a *act, o photos.Order) int {
	crops := 0
	for _, r := range o.References {
		if strings.Contains(r.Instruction, a.token) {
			crops++
		}
	}
	if crops > 1 {
		c.row(a.kind).doubled += crops - 1
		c.say("%s %q of order %s: the service has %d crops of it", a.kind, a.token, o.ID, crops)
	}
	c.row(rowCrops).did += crops
	return pinned(o, a.token)
}

// pinnedOn tells whether somebody set a pin on a photo of the order.
func (w *world) pinnedOn(o photos.Order) bool {
	return slices.ContainsFunc(w.ledger.acts, func(a *act) bool { return a.kind == actPin && a.order == o.ID })
}

// cropsInDoubt tells whether somebody was told that nobody knows whether the crops were added: the thread need not show them.
func (w *world) cropsInDoubt(o photos.Order) bool {
	return slices.ContainsFunc(w.ledger.acts, func(a *act) bool {
		return a.kind == actPin && a.order == o.ID && slices.ContainsFunc(w.told(a), func(said string) bool {
			return strings.Contains(said, "I do not know if your marked photos") && strings.Contains(said, o.Project)
		})
	})
}

// excused has the last references of a history be such that the thread need not show.
func excused(due []notice) []notice {
	for i, n := range slices.Backward(due) {
		if strings.HasPrefix(n.name, "References added") {
			due[i].quiet = true
			break
		}
	}
	return due
}
