package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Kind is one kind of job, whose body is an A in JSON, declared once with everything that depends
// on it: how it is done, and what people hear of one that waits or can be done no more. A dead job
// tells only somebody who asked for something, in words that name it, and what truly became of it.
type Kind[A any] struct {
	Name string
	Work func(ctx context.Context, d *Delivery, args A) error
	// Asked is what somebody asked for, as in "I could not finish …". Only one that is Unasked has
	// none.
	Asked   string
	Unasked bool // nobody asked: its death is for operators alone
	// NeedsService says that it is there for what happens at a service outside: whoever does the jobs
	// has it wait while it is not known which one that is.
	NeedsService bool
	// Quiet says that nobody asked for this very job, of a kind that is asked for otherwise; nil:
	// never.
	Quiet func(ctx context.Context, args A) bool
	// Truth is what became of a dead one, in whole sentences. Required of one that is asked for.
	Truth func(l DeadLetter) string
	// Typed is what the person typed, when it is nowhere on the screen; nil: nothing is typed.
	Typed func(args A) string
	// Blocked tells whose job stands behind one that waits; nil: it stands behind no other.
	Blocked func(ctx context.Context, d *Delivery, args A) error
	// Died does what else a death asks for, and says whether the person knows enough by that; nil:
	// nothing.
	Died func(ctx context.Context, l DeadLetter, args A) bool
}

// Declared is a [Kind] for whoever does not know its arguments.
type Declared struct {
	Name, Asked string
	// NeedsService is as in [Kind].
	NeedsService bool
	// Work, Blocked and Died read the body first: one that is none ends the job.
	Work    Handler
	Blocked func(ctx context.Context, d *Delivery) error // nil: see [Kind]
	Died    func(ctx context.Context, l DeadLetter) bool
	Quiet   func(ctx context.Context, job Job) bool
	Truth   func(l DeadLetter) string // nil of one that is not asked for
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

// reading is a handler that reads the job's body; nil of none.
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

// valid says what is missing.
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

// Registry has every kind of job that a process does. The zero value has none; it is not to be
// added to while jobs are being done.
type Registry struct{ kinds map[string]Declared }

// Add declares kinds; it fails for one that lacks something, or that is declared already.
func (r *Registry) Add(kinds ...Declared) error {
	if r.kinds == nil {
		r.kinds = map[string]Declared{}
	}
	var all []error
	for _, k := range kinds {
		err := k.valid()
		if _, twice := r.kinds[k.Name]; twice && err == nil {
			err = fmt.Errorf("kind %s: declared twice", k.Name)
		}
		all = append(all, err)
		r.kinds[k.Name] = k
	}
	return errors.Join(all...)
}

// Kind is the kind of that name.
func (r *Registry) Kind(name string) (Declared, bool) {
	k, ok := r.kinds[name]
	return k, ok
}

// Names are those of all kinds, sorted.
func (r *Registry) Names() []string { return slices.Sorted(maps.Keys(r.kinds)) }

// State reads the durable progress of a job, the zero value at its first delivery. One that is
// not readable ends the job.
func State[S any](d *Delivery) (s S, err error) {
	if len(d.State) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(d.State, &s); err != nil {
		return s, Dead(fmt.Errorf("job %s: its state: %w", d.ID, err))
	}
	return s, nil
}
