package chaos

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"darkroom/sandbox/photos"
)

// ownNames has the service give orders names of its own from a third of the courses on, for another third. What was
// learned of it then stays: an order whose answer is lost cannot be looked for any more.
func (w *world) ownNames(ctx context.Context) {
	if !w.o.OwnNames {
		return
	}
	for third, names := range []photos.Names{{Own: true}, {Limit: nameLimit}} {
		reached := func() bool { return int(w.progress.Load()) > w.o.Orders*courseSteps*(third+1)/3 }
		if !poll(ctx, time.Hour, time.Second, reached) {
			return
		}
		w.Photos.SetNames(names)
		w.unkindness.did("changes of what the service makes of names")
	}
}

// twice is how people are told that to try again may cost twice. They leave it then.
var twice = regexp.MustCompile(`pay twice|cost you twice`)

// nobodyKnows tells whether the person was told so of an order that the service has.
func (w *world) nobodyKnows(o photos.Order) bool {
	return slices.ContainsFunc(w.ledger.acts, func(a *act) bool {
		return a.orders() && called(o.Asked, a.token) && slices.ContainsFunc(append(w.told(a), a.told), func(said string) bool {
			return called(said, a.token) && strings.Contains(said, "Nobody knows whether")
		})
	})
}
