package files

import "sync"

// maxKinds is for how many files it is remembered what they are.
const maxKinds = 1024

// kinds remembers what files were found to be, the newest of them: a client that fetches
// a photo in pieces has it looked at once. The bytes of a file of Slack's never change.
// What is no picture is not remembered: Slack answers with a page while a token is bad.
type kinds struct {
	mu    sync.Mutex
	types map[string]string
	order []string // oldest first
}

func (k *kinds) known(file string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.types[file]
}

func (k *kinds) keep(file, typ string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.types == nil {
		k.types = map[string]string{}
	}
	if k.types[file] == "" {
		k.order = append(k.order, file)
	}
	k.types[file] = typ
	if len(k.order) > maxKinds {
		delete(k.types, k.order[0])
		k.order = k.order[1:]
	}
}
