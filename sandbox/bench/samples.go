package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// samples are requests as the sandbox's Slack sent them to the real binary, and what that
// answered. The load repeats them, each under ids of its own.
type samples struct {
	help, open, form          template
	helpAnswer, placingAnswer []byte
	draft                     store.Draft // as the form left it before it was sent
	formSize                  int         // bytes of the form's JSON
}

// What the person types into the form: as much as makes about 8 kB of JSON.
var (
	typedInstructions = strings.Repeat("Even out the light, keep the shadows soft and the skin as it is.\n", 20)
	typedName         = "Summer catalogue, beach and pier"
)

// takeSamples lets a person at the sandbox's Slack ask for help, open the order form, fill it in
// and submit it, and keeps what went over the wire.
func (b *bench) takeSamples() (s samples, err error) {
	box, err := sandbox.Start(sandbox.Options{Photos: photos.Options{Manual: true}})
	if err != nil {
		return s, err
	}
	defer box.Close()
	redis, err := b.startRedis()
	if err != nil {
		return s, err
	}
	defer redis.stop()
	app, addr, err := b.startDarkroom(append(box.Environ(), "REDIS_URL="+redis.url, "UPSTREAM_RATE=1000"))
	if err != nil {
		return s, err
	}
	defer app.kill()
	box.Workspace.SetAppURL("http://" + addr)
	maria := person.New(box.Workspace, "maria", person.Options{})
	urls := slices.Clone(box.Samples()[:2])
	for i := range 12 {
		urls = append(urls, fmt.Sprintf("https://photos.example.com/2026/summer-catalogue/beach-and-pier-%02d.jpg", i))
	}
	line := "/order new " + strings.Join(urls, " ")
	if err := errors.Join(maria.Type("/order help"), maria.Type(line), maria.Fill("Instructions", typedInstructions), maria.Fill("Project name", typedName)); err != nil {
		return s, err
	}
	if s.draft, err = redis.store.Drafts.Unfinished(b.ctx, team, person1); err != nil {
		return s, fmt.Errorf("the draft of the form: %w", err)
	}
	if err := maria.Submit(); err != nil {
		return s, err
	}
	return s, s.keep(box.Workspace.Deliveries())
}

// keep makes templates of what was delivered.
func (s *samples) keep(deliveries []workspace.Delivery) error {
	for _, d := range deliveries {
		form, err := url.ParseQuery(string(d.Body))
		if err != nil {
			return err
		}
		text := form.Get("text")
		switch {
		case text == "help":
			s.help, s.helpAnswer = commandTemplate(form), d.Answer
		case strings.HasPrefix(text, "new "):
			s.open = commandTemplate(form)
		case d.Kind == "view_submission":
			s.placingAnswer, s.formSize = d.Answer, len(form.Get("payload"))
			if s.form, err = formTemplate([]byte(form.Get("payload")), s.draft.ID); err != nil {
				return err
			}
		}
	}
	if len(s.helpAnswer) == 0 || len(s.placingAnswer) == 0 || len(s.open.body) == 0 {
		return errors.New("the sandbox's Slack did not hear all that was expected")
	}
	return nil
}

// template is a request's path and body; spots are where each one has ids of its own.
type template struct {
	path   string
	body   []byte
	serial []int // offsets of serialSize digits: trigger, view and hash
	draft  []int // offsets of draftSize hexadecimal digits
	person []int // offsets of the two digits of who does it
}

// The places in a template that are written anew for each request.
const (
	serialMark = "000000000000"
	serialSize = len(serialMark)
	draftSize  = 16 // of a draft's id: see jobs.Hash
	personMark = "U0PERSON"
	people     = 100 // who fill in forms
)

// personID is who sends the n-th form.
func personID(n int64) string { return fmt.Sprintf("%s%02d", personMark, n%people) }

func newTemplate(path string, body []byte, draft string) template {
	t := template{path: path, body: body, serial: places(body, serialMark), draft: places(body, draft)}
	for _, at := range places(body, personID(0)) {
		t.person = append(t.person, at+len(personMark))
	}
	return t
}

// places are the offsets of a text in a body.
func places(body []byte, text string) []int {
	var found []int
	for at := 0; text != ""; {
		i := strings.Index(string(body[at:]), text)
		if i < 0 {
			break
		}
		found = append(found, at+i)
		at += i + len(text)
	}
	return found
}

func commandTemplate(form url.Values) template {
	form.Set("trigger_id", "1234567890123."+serialMark+".bench")
	return newTemplate("/slack/commands", []byte(form.Encode()), "")
}

func formTemplate(payload []byte, draft string) (template, error) {
	var p map[string]any
	if err := json.Unmarshal(payload, &p); err != nil {
		return template{}, err
	}
	view, ok := p["view"].(map[string]any)
	if !ok {
		return template{}, errors.New("a submission without a view")
	}
	if user, ok := p["user"].(map[string]any); ok {
		user["id"] = personID(0)
	}
	p["trigger_id"] = "1234567890123." + serialMark + ".bench"
	view["id"], view["root_view_id"], view["hash"] = "V"+serialMark, "V"+serialMark, serialMark+".bench"
	raw, err := json.Marshal(p)
	if err != nil {
		return template{}, err
	}
	t := newTemplate("/slack/interactions", []byte(url.Values{"payload": {string(raw)}}.Encode()), draft)
	if len(draft) != draftSize || len(t.draft) == 0 {
		return t, errors.New("the form does not name its draft: " + draft)
	}
	return t, nil
}

// draftID is the id of the n-th draft.
func draftID(n int64) string { return fmt.Sprintf("be%0*x", draftSize-2, n) }

// write writes the n-th request over buf, which holds a copy of the body.
func (t template) write(buf []byte, n int64) {
	var digits [serialSize]byte
	for i, rest := serialSize-1, n; i >= 0; i, rest = i-1, rest/10 {
		digits[i] = byte('0' + rest%10)
	}
	for _, at := range t.serial {
		copy(buf[at:], digits[:])
	}
	for _, at := range t.person {
		copy(buf[at:], personID(n)[len(personMark):])
	}
	if len(t.draft) == 0 {
		return
	}
	id := draftID(n)
	for _, at := range t.draft {
		copy(buf[at:], id)
	}
}

// inRun is the template of a form that was opened in another run of Redis: a form says in which one it was.
func (t template) inRun(was, is string) (template, error) {
	was, is = url.QueryEscape(was), url.QueryEscape(is)
	if len(was) != len(is) || !bytes.Contains(t.body, []byte(was)) {
		return t, errors.New("the form does not say in which run of Redis it was opened")
	}
	t.body = bytes.ReplaceAll(t.body, []byte(was), []byte(is))
	return t, nil
}

// keepDrafts puts the drafts from to below to into Redis, through the store: each as its form says that
// it was opened.
func (b *bench) keepDrafts(r *redisServer, like store.Draft, from, to int64) error {
	return parallel(16, from, to, func(n int64) error {
		d := like
		d.ID, d.User = draftID(n), personID(n)
		return r.store.Drafts.SaveDraft(b.ctx, d)
	})
}

// parallel does something for each number, some at a time, until one fails.
func parallel(workers int, from, to int64, do func(n int64) error) error {
	errs := make(chan error, workers)
	for w := range workers {
		go func() {
			for n := from + int64(w); n < to; n += int64(workers) {
				if err := do(n); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	var all []error
	for range workers {
		all = append(all, <-errs)
	}
	return errors.Join(slices.DeleteFunc(all, func(err error) bool { return err == nil })...)
}
