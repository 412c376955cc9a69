package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store/queue"
)

// AsideState is what an operator sees of the jobs that were set aside, in place of their orders.
type AsideState struct {
	Open bool          `json:"open,omitempty"`
	Page int           `json:"page,omitempty"` // from 0
	Said cards.Decided `json:"said,omitzero"`  // what became of the one they decided about last
}

// asideFor adds to the Home what is set aside, for operators: how many there are, and the page of them
// when that is what they look at.
func (j *Jobs) asideFor(ctx context.Context, r bot.Request, state AsideState, h *cards.Home) error {
	if operator, err := j.access.IsOperator(ctx, r); err != nil || !operator {
		return err
	}
	_, total, err := j.queue.DeadPage(ctx, 0, 0)
	h.Aside = total
	if err != nil || !state.Open {
		return err
	}
	pages := cards.PagesOf(total, cards.PageSize)
	page := max(min(state.Page, pages-1), 0)
	letters, total, err := j.queue.DeadPage(ctx, page*cards.PageSize, cards.PageSize)
	if err != nil {
		return err
	}
	h.Letters = &cards.SetAside{Total: total, Page: page, Pages: pages, Said: state.Said}
	viewer := j.access.Viewer(r)
	for _, l := range letters {
		letter, err := j.letterOf(ctx, viewer, l)
		if err != nil {
			return err
		}
		h.Letters.Letters = append(h.Letters.Letters, letter)
	}
	return nil
}

// letterOf is a dead letter as an operator sees it: never what somebody typed, and of an order only what
// its reader may know. A channel that they are not in keeps its orders' names.
func (j *Jobs) letterOf(ctx context.Context, viewer *access.Viewer, l queue.DeadLetter) (cards.Letter, error) {
	var body struct {
		Order string `json:"order"`
	}
	_ = json.Unmarshal(l.Body, &body) // one that is not readable names none
	letter := cards.Letter{
		ID: l.ID, Ref: ShortRef(l.ID), Does: j.does(l.Kind), By: j.asker(ctx, l.Job), At: l.At, Why: l.Reason,
	}
	if body.Order == "" {
		return letter, nil
	}
	t, err := j.store.Order(ctx, body.Order)
	switch {
	case err != nil && queue.Away(err):
		return letter, err
	case err == nil && viewer.Shows(ctx, t):
		letter.Order = &t
	}
	return letter, nil
}

// does is what jobs of a kind do, in words.
func (j *Jobs) does(kind string) string {
	k, ok := j.kinds.Kind(kind)
	if !ok && j.others != nil {
		k, ok = j.others.Kind(kind)
	}
	if !ok {
		return "something that this version does not know (" + kind + ")"
	}
	return k.Does
}

// DecideArgs is the body of the job that puts back or drops one that was set aside.
type DecideArgs struct {
	Asker
	Letter string        `json:"letter"` // the id of the job
	Died   int64         `json:"died"`   // when it was set aside, Unix milliseconds: later it is another letter
	Verb   cards.Verdict `json:"verb"`
}

// decision is who decided about a letter; it is kept for whoever comes later.
type decision struct {
	User    string        `json:"user"`
	Request string        `json:"request"`
	Verb    cards.Verdict `json:"verb"`
}

// PutDecision puts the job that decides about a letter. There is one at a time about each, wherever they
// were clicked: the first one decides.
func (j *Jobs) PutDecision(ctx context.Context, body DecideArgs) error {
	return j.Put(ctx, DecideJob, DecideJob+":"+body.Request, DecideJob+":"+Hash(body.Letter), body)
}

// decide puts a letter back or drops it, once, and shows in the operator's Home what became of it.
func (j *Jobs) decide(ctx context.Context, d *queue.Delivery, b DecideArgs) error {
	operator, err := j.access.IsOperatorNow(ctx, b.request())
	if err != nil {
		return err
	}
	if !operator {
		return j.inform(ctx, b.Asker, cards.OperatorsOnly(cards.DecideLetters))
	}
	said, err := j.decided(ctx, d, b)
	if err != nil {
		return err
	}
	return j.ShowHome(ctx, b.request(), func(s *HomeState) { s.Aside.Open, s.Aside.Said = true, said })
}

// decided is what becomes of the letter, or became of it already.
func (j *Jobs) decided(ctx context.Context, d *queue.Delivery, b DecideArgs) (cards.Decided, error) {
	note := "decided:" + Hash(b.Letter) + ":" + Hash(strconv.FormatInt(b.Died, 10))
	said := cards.Decided{Ref: ShortRef(b.Letter), Verdict: b.Verb, By: b.User}
	var by decision
	if err := j.store.GetIfThere(ctx, note, &by); err != nil {
		return said, err
	}
	letter, err := j.queue.Letter(ctx, b.Letter)
	if err != nil && !errors.Is(err, queue.ErrNotDead) {
		return said, err
	}
	there := err == nil && letter.At.UnixMilli() == b.Died
	switch {
	case !there && by.User == "":
		said.By = "" // nobody who left a note: darkroom jobs, or its time was over
		return said, nil
	case !there:
		said.By, said.Verdict, said.Late = by.User, by.Verb, by.User != b.User
		return said, nil
	}
	if err := j.store.PutTTL(ctx, note, decision{b.User, b.Request, b.Verb}, toldLife); err != nil {
		return said, err
	}
	do := j.queue.Revive
	if b.Verb == cards.Dropped {
		do = j.queue.Drop
	}
	if err := do(ctx, b.Letter); err != nil && !errors.Is(err, queue.ErrNotDead) {
		return said, err
	}
	j.log.InfoContext(ctx, "operator decided about a job", "job", b.Letter, "kind", letter.Kind, "verb", b.Verb, "user", b.User, "delivery", d.Deliveries)
	return said, nil
}

func (j *Jobs) decideKind() queue.Declared {
	return queue.Kind[DecideArgs]{
		Name: DecideJob, Work: j.decide, Asked: cards.DecidingLetters,
		Truth: Always("The App Home shows whether it is still set aside; trying again is safe."),
	}.Declare()
}
