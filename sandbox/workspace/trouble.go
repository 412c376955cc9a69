package workspace

import "sync"

// trouble is what the workspace is told to do wrong.
type trouble struct {
	faults    map[string][]Fault
	holds     map[string]chan struct{}
	down      bool
	tampering []Tampering

	unknownBlocks []string
}

// Misbehave makes the next calls of the method go wrong; "*" is every method.
func (w *Workspace) Misbehave(method string, f Fault, times int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.trouble.faults == nil {
		w.trouble.faults = map[string][]Fault{}
	}
	for range times {
		w.trouble.faults[method] = append(w.trouble.faults[method], f)
	}
}

// Hold makes calls of the method wait, before anything is done, until release
// is called.
func (w *Workspace) Hold(method string) (release func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.trouble.holds == nil {
		w.trouble.holds = map[string]chan struct{}{}
	}
	gate := make(chan struct{})
	w.trouble.holds[method] = gate
	var once sync.Once
	return func() {
		once.Do(func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.trouble.holds[method] == gate {
				delete(w.trouble.holds, method)
			}
			close(gate)
		})
	}
}

// Down resets every connection to the Web API until Up.
func (w *Workspace) Down() { w.setDown(true) }

// Up ends Down.
func (w *Workspace) Up() { w.setDown(false) }

func (w *Workspace) setDown(down bool) {
	defer w.change()()
	w.trouble.down = down
}

// RefuseBlocks makes this a Slack that does not know the block types yet: what holds one of
// them, nested or not, is refused. With none it is a new one again.
func (w *Workspace) RefuseBlocks(types ...string) {
	defer w.change()()
	w.trouble.unknownBlocks = types
}

func (w *Workspace) nextFault(method string) Fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.trouble.down {
		return ResetBefore
	}
	for _, key := range []string{method, "*"} {
		if queue := w.trouble.faults[key]; len(queue) > 0 {
			w.trouble.faults[key] = queue[1:]
			return queue[0]
		}
	}
	return Fault{}
}

func (w *Workspace) held(method string) {
	w.mu.Lock()
	gate := w.trouble.holds[method]
	w.mu.Unlock()
	if gate == nil {
		return
	}
	select {
	case <-gate:
	case <-w.ctx.Done():
	}
}

// Behave forgets every misbehaviour that is still to come.
func (w *Workspace) Behave() {
	defer w.change()()
	w.trouble.faults, w.trouble.tampering, w.trouble.down = nil, nil, false
}
