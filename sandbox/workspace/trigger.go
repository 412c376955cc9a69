package workspace

import (
	"fmt"
	"time"
)

// trigger lets the app open one view for what a person did a moment ago.
type trigger struct {
	window *Window
	at     time.Time
	used   bool
}

// newTrigger is a fresh trigger id; the caller holds the lock.
func (w *Workspace) newTrigger(win *Window) string {
	w.serial++
	id := fmt.Sprintf("%d.%s%d.%08x", w.now().UnixMilli(), w.in.Mark, w.serial, w.serial*2654435761&0xffffffff)
	w.triggers[id] = &trigger{window: win, at: w.now()}
	return id
}

// exchange uses the call's trigger up and tells whose window it was.
func (w *Workspace) exchange(c *call) (*Window, error) {
	t := w.triggers[c.str("trigger_id")]
	switch {
	case t == nil:
		return nil, fails("invalid_trigger_id")
	case t.used:
		return nil, fails("exchanged_trigger_id")
	case c.at.Sub(t.at) > w.o.TriggerLife:
		return nil, fails("expired_trigger_id")
	}
	t.used = true
	return t.window, nil
}
