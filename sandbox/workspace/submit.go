package workspace

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const (
	requiredField = "Please complete this required field."
	troubled      = "We had some trouble connecting. Try again?"
)

// Submit presses the submit button of the modal's top view, [ErrGone] when it has none.
// Slack checks the fields first; then the app hears of it and its answer is carried out.
func (win *Window) Submit(times Times) error {
	w := win.w
	w.mu.Lock()
	if len(win.stack) == 0 {
		w.mu.Unlock()
		return ErrGone
	}
	v := win.stack[len(win.stack)-1]
	if v.Submit == "" {
		w.mu.Unlock()
		return ErrGone
	}
	v.Errors, v.Notice = v.unfilled(), ""
	if len(v.Errors) > 0 {
		w.unlock()
		return nil
	}
	var parcels []parcel
	hash := v.Hash
	for range times.triggers() {
		p := w.interaction(win, "view_submission")
		p["view"], p["response_urls"] = w.wireView(v), []any{}
		parcels = append(parcels, w.interactionParcel(p))
	}
	w.unlock()
	w.deliverAll(parcels, times, func(d Delivery) { w.interpretSubmission(v, hash, d) })
	return nil
}

// unfilled is what Slack itself says about the fields of a view.
func (v *View) unfilled() map[string]string {
	said := map[string]string{}
	for _, b := range Every(v.Blocks) {
		e, isInput := b["element"].(object)
		if str(b, "type") != "input" || !isInput {
			continue
		}
		block := str(b, "block_id")
		value := ValueIn(v.state(block, str(e, "action_id")))
		if problem := fieldProblem(b, e, value); problem != "" {
			said[block] = problem
		}
	}
	return said
}

func (v *View) state(block, action string) object {
	state, _ := v.Values[block][action].(object)
	return state
}

func fieldProblem(b, e object, value any) string {
	if value == nil {
		if flag(b, "optional") {
			return ""
		}
		return requiredField
	}
	text, isText := value.(string)
	if !isText {
		return ""
	}
	least, hasLeast := number(e["min_length"])
	most, hasMost := number(e["max_length"])
	if !hasMost {
		most = maxText
	}
	switch {
	case hasLeast && float64(length(text)) < least:
		return fmt.Sprintf("Please enter at least %d characters.", int(least))
	case float64(length(text)) > most:
		return fmt.Sprintf("Please enter no more than %d characters.", int(most))
	}
	return ""
}

// interpretSubmission carries the app's response_action out, to the view as it was submitted.
func (w *Workspace) interpretSubmission(v *View, hash string, d Delivery) {
	answer := object{}
	malformed := strings.TrimSpace(string(d.Answer)) != "" && json.Unmarshal(d.Answer, &answer) != nil
	action := str(answer, "response_action")
	payload, _ := answer["view"].(object)
	var problem error
	switch {
	case !d.Acknowledged():
		problem = fails(d.failure())
	case malformed, len(answer) > 0 && action == "":
		problem = fails("response_action missing or malformed")
	case action == "update" || action == "push":
		problem = w.checkView(payload)
	}
	defer w.change()()
	if w.views[v.ID] == nil {
		return
	}
	if problem == nil {
		problem = w.carryOut(v, hash, action, answer, payload)
	}
	if problem != nil {
		v.Notice = troubled
		if d.Acknowledged() {
			w.violate("answer to view_submission", problem.Error())
		}
	}
}

func (w *Workspace) carryOut(v *View, hash, action string, answer, payload object) error {
	switch action {
	case "":
		w.drop(v)
	case "clear":
		w.dropAll(v.window)
	case "errors":
		if v.Hash != hash { // of a view that another answer has replaced meanwhile
			return nil
		}
		return v.refuse(answer)
	case "update", "push":
		return w.replace(v, action, payload)
	default:
		return fails("unknown response_action " + action)
	}
	return nil
}

func (w *Workspace) replace(v *View, action string, payload object) error {
	but := v
	if action == "push" {
		but = nil
	}
	switch {
	case w.externalTaken(str(payload, "external_id"), but):
		return fails("duplicate_external_id")
	case str(payload, "type") != v.Type:
		return fails("view must be a " + v.Type)
	case action == "update":
		w.refill(v, payload)
	case len(v.window.stack) >= maxStack:
		return fails("push_limit_reached")
	default:
		w.push(v.window, payload)
	}
	return nil
}

// refuse shows the app's errors beside their fields.
func (v *View) refuse(answer object) error {
	errs, _ := answer["errors"].(object)
	if len(errs) == 0 {
		return fails("errors: must not be empty")
	}
	said := map[string]string{}
	for block := range errs {
		if block == noInput && !v.hasInputs() { // the app has no field to show it at, and wants what Slack shows then
			v.Notice = troubled
			return nil
		}
		if !v.hasInput(block) {
			return fails("errors: " + block + " is no input block of the view")
		}
		said[block] = str(errs, block)
	}
	v.Errors = said
	return nil
}

// noInput is the block at which an app shows an error of a view without inputs. Slack knows no such block: it says that there
// was trouble, and the view stays open.
const noInput = "none"

// hasInputs reports whether the view has a field at which an error can be shown.
func (v *View) hasInputs() bool {
	return slices.ContainsFunc(Every(v.Blocks), func(b object) bool { return str(b, "type") == "input" })
}

func (v *View) hasInput(block string) bool {
	for _, b := range Every(v.Blocks) {
		if str(b, "block_id") == block {
			return str(b, "type") == "input"
		}
	}
	return false
}
