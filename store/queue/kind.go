package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Kind is one kind of job, with an A as JSON in its body. It declares how the job is done, and what people read when it
// waits or dies. A dead job notifies only a person who asked for it. The message names the job and its true end.
type Kind[A any] struct {
	Name string
	Work func(ctx context.Context, d *Delivery, args A) error
	// Asked names what a person asked for, as in "I could not finish …". It is empty only for Unasked kinds.
	Asked   string
	Unasked bool // no person asked: its death is for operators alone
	// NeedsService says that the job acts at an outside service. It waits while that service is unknown.
	NeedsService bool
	// Quiet reports that no person asked for this job, of a kind with Asked; nil: never.
	Quiet func(ctx context.Context, args A) bool
	// Truth describes the end of a dead job in whole sentences. Kinds with Asked need it.
	Truth func(l DeadLetter) string
	// Typed returns the person's text, if it is not on the screen; nil: no text.
	Typed func(args A) string
	// Blocked notifies the people whose jobs are behind a waiting one; nil: nobody is.
	Blocked func(ctx context.Context, d *Delivery, args A) error
	// Died does what else a death needs, and reports whether the person is notified by that; nil: nothing.
	Died func(ctx context.Context, l DeadLetter, args A) bool
}

// Declared is a [Kind] without the type of its arguments.
type Declared struct {
	Name, Asked string
	// NeedsService is as in [Kind].
	NeedsService bool
	// Work, Blocked and Died decode the body first. A malformed body ends the job.
	Work    Handler
	Blocked func(ctx context.Context, d *Delivery) error // nil: see [Kind]
	Died    func(ctx context.Context, l DeadLetter) bool
	Quiet   func(ctx context.Context, job Job) bool
	Truth   func(l DeadLetter) string // nil for Unasked kinds
	Typed   func(job Job) string

	unasked bool
}

// Declare forgets the type of the arguments.
func (k Kind[A]) Declare() Declared {
	return Declared{
		Name: k.Name, Asked: k.Asked, unasked: k.Unasked, Truth: k.Truth, NeedsService: k.NeedsService,
		Work: k.reading(k.Work), Blocked: k.reading(k.Blocked),
		Died: func(ctx context.Context, l DeadLetter) bool {
			args, err := k.args(l.Job)
			return err == nil && k.Died != nil && k.Died(ctx, l, args)
		},
		Quiet: func(ctx context.Context, job Job) bool {
			args, err := k.args(job)
			return err == nil && k.Quiet != nil && k.Quiet(ctx, args)
		},
		Typed: func(job Job) string {
			args, err := k.args(job)
			if err != nil || k.Typed == nil {
				return ""
			}
			return k.Typed(args)
		},
	}
}

// reading returns a handler that decodes the job's body; nil stays nil.
func (k Kind[A]) reading(do func(context.Context, *Delivery, A) error) func(context.Context, *Delivery) error {
	if do == nil {
		return nil
	}
	return func(ctx context.Context, d *Delivery) error {
		args, err := k.args(d.Job)
		if err != nil {
			return Dead(err)
		}
		return do(ctx, d, args)
	}
}

func (k Kind[A]) args(job Job) (args A, err error) {
	if err := json.Unmarshal(job.Body, &args); err != nil {
		return args, fmt.Errorf("job %s: %w", job.ID, err)
	}
	return args, nil
}

// valid returns an error that names what is missing.
func (d Declared) valid() error {
	switch {
	case d.Name == "":
		return errors.New("a kind of job without a name")
	case d.Work == nil:
		return fmt.Errorf("kind %s: nothing does it", d.Name)
	case d.unasked == (d.Asked != ""):
		return fmt.Errorf("kind %s: either somebody asks for it, in words, or nobody does", d.Name)
	case d.Asked != "" && d.Truth == nil:
		return fmt.Errorf("kind %s: it does not say what became of a dead one", d.Name)
	}
	return nil
}

// Registry holds every kind of job that a process does. The zero value is empty. Add kinds before jobs are done.
type Registry struct{ kinds []Declared }

// Add declares kinds. It fails if one lacks something or is declared already.
func (r *Registry) Add(kinds ...Declared) error {
	var all []error
	r.kinds = slices.Grow(r.kinds, len(kinds)) // not a map: a process holds a registry for each workspace
	for _, k := range kinds {
		_, twice := r.Kind(k.Name)
		if !twice {
			r.kinds = append(r.kinds, k)
		}
		err := k.valid()
		if twice && err == nil {
			err = fmt.Errorf("kind %s: declared twice", k.Name)
		}
		all = append(all, err)
	}
	return errors.Join(all...)
}

// Kind returns the kind of that name.
func (r *Registry) Kind(name string) (Declared, bool) {
	for _, k := range r.kinds {
		if k.Name == name {
			return k, true
		}
	}
	return Declared{}, false
}

// Names returns the names of all kinds, sorted.
func (r *Registry) Names() []string {
	var names []string
	for _, k := range r.kinds {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	return names
}

// State decodes the state of a job; without one it returns the zero value. A malformed state ends the job.
func State[S any](d *Delivery) (s S, err error) {
	if len(d.State) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(d.State, &s); err != nil {
		return s, Dead(fmt.Errorf("job %s: its state: %w", d.ID, err))
	}
	return s, nil
}
