package page_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	cancelForm   = "TestModals/plain/cancel.json"
	filledForm   = "TestModals/plain/new_filled.json"
	photoForm    = "TestOrderForms/plain/open.json"
	settingsForm = "TestModals/plain/settings_groups.json"
	picker       = "TestPrivateAnswers/plain/pick.json"
	card         = "TestTheChannelSees/plain/card_editing.json"
	ready        = "TestTheChannelSees/plain/ready.json"
)

// asked is one thing the modules asked of the workspace.
type asked struct {
	Name   string         `json:"name"`
	Target map[string]any `json:"target"`
	State  map[string]any `json:"state"`
	Typed  *string        `json:"typed"`
	Files  []string       `json:"files"`
}

func (g *gallery) asked() []asked { return run[[]asked](g, "window.gallery.asked") }

func (g *gallery) names() []string {
	var names []string
	for _, a := range g.asked() {
		names = append(names, a.Name)
	}
	return names
}

// open draws a golden file, with more of its view (or {}).
func (g *gallery) open(path, more string) {
	g.tb.Helper()
	run[any](g, "window.gallery.open(%s, "+more+")", path)
}

// fresh is an empty stage before a workspace that answers so.
func (g *gallery) fresh(answers string) {
	g.tb.Helper()
	run[any](g, "window.gallery.clear()")
	g.answers(answers)
}

// answers is what the workspace answers from now on, by act: an object, or the sentence of a refusal.
func (g *gallery) answers(byAct string) {
	g.tb.Helper()
	run[any](g, "(%s, window.gallery.answer("+byAct+"))", "")
}

// until waits for an expression to be true.
func (g *gallery) until(expression string) {
	g.tb.Helper()
	_, err := chromedp.Run(g.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(waitLimit)))
	require.NoError(g.tb, err, expression)
}

func (g *gallery) press(keys ...string) {
	g.tb.Helper()
	for _, key := range keys {
		g.do(chromedp.KeyEvent(key))
	}
}

func (g *gallery) click(css string) {
	g.tb.Helper()
	g.do(chromedp.Click(chromedp.CSS(css)))
}

// What a person types stays whatever the workspace shows meanwhile, reaches it before the form does, and
// gives way to what it shows once it has arrived.
func TestTypedWordsAreKept(t *testing.T) {
	g := drawn(t, desktop)
	value := func() string { return run[string](g, "document.querySelector('textarea').value") }

	g.open(cancelForm, "{}")
	g.until("document.activeElement.tagName === 'TEXTAREA'")
	g.press("half a sen")
	g.open(cancelForm, `{values: {"reason:0": {"typed:reason": {type: "plain_text_input", value: "older"}}}, notice: "Try again?"}`)
	require.Equal(t, "half a sen", value())
	require.Contains(t, run[string](g, "document.querySelector('[role=alert]').textContent"), "Try again?")
	g.press("tence")
	g.press(kb.Tab, kb.Tab, kb.Enter)
	g.until("window.gallery.asked.some((a) => a.name === 'submit')")
	names := g.names()
	require.Equal(t, []string{"act", "submit"}, names[len(names)-2:])
	last := g.asked()[len(names)-2]
	require.Equal(t, map[string]any{"view": "V1", "block": "reason:0", "action": "typed:reason"}, last.Target)
	require.Equal(t, map[string]any{"type": "plain_text_input", "value": "half a sentence"}, last.State)

	g.open(cancelForm, `{values: {"reason:0": {"typed:reason": {type: "plain_text_input", value: "half a sentence"}}}}`)
	g.open(cancelForm, `{values: {"reason:0": {"typed:reason": {type: "plain_text_input", value: "from the other tab"}}}}`)
	g.until("document.querySelector('textarea').value === 'from the other tab'")
}

// Words that could not be sent are kept and sent again; the form waits for them.
func TestAFormIsNotSentWithoutItsWords(t *testing.T) {
	g := drawn(t, desktop)
	g.fresh(`{act: "The workspace does not answer."}`)
	g.open(cancelForm, "{}")
	g.until("document.activeElement.tagName === 'TEXTAREA'")
	g.press("too dark")
	g.click("[type=submit]")
	g.until("document.querySelector('[role=alert]')?.textContent === 'The workspace does not answer.'")
	require.NotContains(t, g.names(), "submit")
	g.answers("{}")
	g.click("[type=submit]")
	g.until("window.gallery.asked.some((a) => a.name === 'submit')")
	names := g.names()
	require.Equal(t, []string{"act", "submit"}, names[len(names)-2:])
	require.Equal(t, "too dark", g.asked()[len(names)-2].State["value"])
}

// A form that was refused leads to the first field with an error, which says what is wrong with it.
func TestErrorsAreBesideTheirFields(t *testing.T) {
	g := drawn(t, phone)
	g.open(filledForm, "{}")
	g.click("[type=submit]")
	g.until("window.gallery.asked.some((a) => a.name === 'submit')")
	g.open(filledForm, `{errors: {"instructions:1.4ovb3nhfeo86": "Please complete this required field.", "customer:1.4ovb3nhfeo86": "Not a number."}}`)
	g.until("document.activeElement.getAttribute('aria-invalid') === 'true'")
	said := run[string](g, "document.activeElement.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent).join(' ')")
	require.Equal(t, "Please complete this required field. One per line, for all photos.", said)
	require.Equal(t, "Instructions", run[string](g, "document.activeElement.labels[0].textContent"))
	require.Equal(t, 2, run[int](g, "document.querySelectorAll('[aria-invalid=true]').length"))
}

// A list of boxes to tick is led to as well: it may be far above what was pressed.
func TestAnErrorOfAListOfBoxesIsLedTo(t *testing.T) {
	g := drawn(t, phone)
	g.open(settingsForm, "{}")
	g.click("[type=submit]")
	g.until("window.gallery.asked.some((a) => a.name === 'submit')")
	g.open(settingsForm, `{errors: {"approvers:0": "Name who is asked."}}`)
	g.until("document.activeElement.getAttribute('aria-invalid') === 'true'")
	require.Equal(t, "@Maria Lopez", run[string](g, "document.activeElement.labels[0].textContent.trim()"))
	said := run[string](g, "document.activeElement.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent).join(' ')")
	require.Contains(t, said, "Name who is asked. They are mentioned when")
}

// A modal takes the focus, keeps it, and gives it back; Esc leaves it.
func TestAModalHoldsTheFocus(t *testing.T) {
	g := drawn(t, desktop)
	g.do(chromedp.Focus(chromedp.CSS("#opener")))
	g.open("TestModals/plain/loading.json", "{}")
	g.until("document.activeElement.getAttribute('role') === 'dialog'")
	g.open(filledForm, "{}") // it has loaded
	g.until("document.activeElement.closest('[role=dialog] .bk') !== null")
	for range 12 {
		g.press(kb.Tab)
		require.True(t, run[bool](g, "document.querySelector('[role=dialog]').contains(document.activeElement)"))
	}
	g.press(kb.Escape)
	g.until("window.gallery.asked.some((a) => a.name === 'cancel')")
	run[any](g, "window.gallery.clear()")
	g.until("document.activeElement.id === 'opener'")
	g.open(filledForm, "{}, 2")
	g.click("[aria-label=Back]")
	g.until("window.gallery.asked.at(-1)?.name === 'cancel'")
	g.click("[aria-label=Close]")
	g.until("window.gallery.asked.at(-1)?.name === 'close'")
}

// A press is made once however often one clicks, and is busy until the app has answered.
func TestAButtonIsPressedOnce(t *testing.T) {
	g := drawn(t, desktop)
	g.fresh("{wait: 400}")
	g.open(ready, "{}")
	const changes = ".bk-button:not(.bk-button--primary, .bk-dots)"
	g.click(changes)
	g.click(changes)
	g.until("document.querySelector('" + changes + "').getAttribute('aria-busy') === 'true'")
	g.until("document.querySelector('" + changes + "').getAttribute('aria-busy') === 'false'")
	require.Equal(t, []string{"act"}, g.names())
	require.Equal(t, "order:revise", g.asked()[0].Target["action"])
	require.Nil(t, g.asked()[0].State)
}

const confirmed = `{blocks: [{type: "actions", block_id: "b", elements: [{type: "button", action_id: "a", text: {type: "plain_text", text: "Discard"},
	confirm: {title: {type: "plain_text", text: "Discard it?"}, text: {type: "mrkdwn", text: "It is *gone* then."}, confirm: {type: "plain_text", text: "Discard it"},
	deny: {type: "plain_text", text: "Keep it"}, style: "danger"}}, {type: "button", action_id: "link", url: "https://example.com", text: {type: "plain_text", text: "Open"}}]}]}`

// What asks "are you sure" does nothing until one is; and a link button leads out without a way back in.
func TestAConfirmationIsAsked(t *testing.T) {
	g := drawn(t, phone)
	run[any](g, "window.gallery.show("+confirmed+")")
	words := "document.querySelector('[role=alertdialog]')?.innerText.replace(/\\s+/g, ' ')"
	g.do(chromedp.Focus(chromedp.CSS("[data-action=a]")))
	g.press(kb.Enter)
	g.until(words + " === 'Discard it? It is gone then. Keep it Discard it'")
	require.Equal(t, "Keep it", run[string](g, "document.activeElement.textContent"))
	g.press(kb.Escape)
	g.until("!document.querySelector('[role=alertdialog]') && document.activeElement.dataset.action === 'a'")
	require.Empty(t, g.asked())
	require.True(t, run[bool](g, `(document.querySelector("[data-action=a]").click(),
		document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true, cancelable: true})),
		!document.querySelector("[role=alertdialog]"))`), "fast fingers are heard before the dialog is painted")
	require.Empty(t, g.asked())
	g.press(kb.Enter)
	g.until("document.querySelector('[role=alertdialog]') !== null")
	g.click("[role=alertdialog] .bk-button--danger")
	g.until("window.gallery.asked.length === 1")
	require.Equal(t, "_blank noopener noreferrer", run[string](g, "(({target, rel}) => `${target} ${rel}`)(document.querySelector('a.bk-button'))"))
}

// A menu opens, moves and closes by the keyboard alone.
func TestAMenuByKeyboard(t *testing.T) {
	g := drawn(t, desktop)
	g.open(card, "{}")
	g.do(chromedp.Focus(chromedp.CSS("[aria-label^='More actions for']")))
	g.press(kb.Enter)
	g.until("document.activeElement.textContent === 'Message the editor'")
	g.press(kb.Escape)
	g.until("document.activeElement.getAttribute('aria-expanded') === 'false'")
	g.press(kb.ArrowDown)
	g.until("document.activeElement.textContent === 'Message the editor'")
	g.press(kb.Enter)
	g.until("window.gallery.asked.length === 1")
	chosen, _ := g.asked()[0].State["selected_option"].(map[string]any)
	require.Equal(t, "message 1042:r0", chosen["value"])
}

const offered = `{suggest: {groups: [
	{label: {type: "plain_text", text: "Waiting"}, options: [{text: {type: "plain_text", text: "Smith wedding"}, value: "1"}]},
	{label: {type: "plain_text", text: "In progress"}, options: [{text: {type: "plain_text", text: "Beach day"}, value: "2"}]}]}}`

// A select asks the app while one types, and says so when there is nothing.
func TestAnExternalSelect(t *testing.T) {
	g := drawn(t, phone)
	g.fresh(offered)
	g.open(picker, "{}")
	g.click("[role=combobox]")
	g.until("document.querySelectorAll('[role=option]').length === 2")
	require.Equal(t, "Waiting In progress", run[string](g, "[...document.querySelectorAll('[role=group]')].map((g) => g.getAttribute('aria-label')).join(' ')"))
	require.True(t, run[bool](g, "(({left, right, bottom}) => left >= 0 && right <= innerWidth && bottom <= innerHeight)(document.querySelector('[role=listbox]').getBoundingClientRect())"))
	g.press(kb.ArrowDown, kb.Enter)
	g.until("window.gallery.asked.some((a) => a.name === 'act')")
	all := g.asked()
	chosen, _ := all[len(all)-1].State["selected_option"].(map[string]any)
	require.Equal(t, "2", chosen["value"])
	require.Equal(t, "Beach day", run[string](g, "document.querySelector('[role=combobox]').value"))

	g.answers("{suggest: {options: []}}")
	g.press("xyz")
	g.until("document.querySelector('[role=listbox]')?.textContent.trim() === 'No results'")
	all = g.asked()
	require.Equal(t, "xyz", *all[len(all)-1].Typed)
	g.press(kb.Escape)
	g.until("document.querySelector('[role=combobox]').value === 'Beach day'")
}

// A key pressed the moment the options are there counts: nothing resets the row afterwards.
func TestAnExternalSelectHearsTheFirstKey(t *testing.T) {
	g := drawn(t, phone)
	g.fresh(offered)
	g.open(picker, "{}")
	run[any](g, `new MutationObserver((_, observer) => {
		if (document.querySelectorAll('[role=option]').length < 2) return;
		observer.disconnect();
		const down = new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true});
		document.querySelector('[role=combobox]').dispatchEvent(down);
		setTimeout(() => { window.pressed = true; }, 300); // longer than what a page does after it painted
	}).observe(document.body, {childList: true, subtree: true})`)
	g.click("[role=combobox]")
	g.until("window.pressed")
	require.Equal(t, "false true", run[string](g, "[...document.querySelectorAll('[role=option]')].map((o) => o.getAttribute('aria-selected')).join(' ')"))
}

// Files go up and into the field; what does not fit is said by name and not taken.
func TestFilesOfAField(t *testing.T) {
	g := drawn(t, desktop)
	g.open(photoForm, "{}")
	var files []string
	for i := range 12 {
		files = append(files, filepath.Join(t.TempDir(), fmt.Sprintf("photo %d.jpg", i+1)))
	}
	for _, name := range files {
		require.NoError(t, os.WriteFile(name, []byte("a picture"), 0o600))
	}
	require.NoError(t, os.Truncate(files[0], 11<<20))
	g.do(chromedp.SetUploadFiles(chromedp.CSS("input[type=file]"), files))
	g.until("window.gallery.asked.some((a) => a.name === 'give')")
	all := g.asked()
	require.Len(t, all[0].Files, 10)
	require.Equal(t, "photo 2.jpg", all[0].Files[0])
	require.Equal(t, "ref of photo 2.jpg", all[1].Files[0])
	said := run[string](g, "document.querySelector('.bk-files [role=alert]').innerText")
	assert.Contains(t, said, "photo 1.jpg is larger than 10 MB.")
	assert.Contains(t, said, "At most 10 files: photo 12.jpg was not added.")
	g.open(photoForm, `{values: {"photos:1.4ovb3nhfeo86": {"typed:photos": {type: "file_input", files: [{id: "F1", name: "a.heic"}, {id: "F2", name: "b.heic"}]}}}}`)
	g.click("[aria-label='Remove a.heic']")
	g.until("window.gallery.asked.length === 3")
	left, _ := g.asked()[2].State["files"].([]any)
	require.Len(t, left, 1)
}

// A picture that does not come leaves its words in a box of the same size.
func TestABrokenPictureSaysWhatItIs(t *testing.T) {
	g := drawn(t, desktop)
	for _, source := range []string{"/static/favicon.svg", "/static/broken.jpg"} {
		run[any](g, `window.gallery.show({blocks: [{type: "section", text: {type: "mrkdwn", text: "One"},
			accessory: {type: "image", image_url: %s, alt_text: "1 · beach.jpg"}}]})`, source)
		g.until("document.querySelector('.bk-picture img[src*=favicon], .bk-picture--broken') !== null")
		require.Equal(t, "88 88", run[string](g, "(({width, height}) => `${width} ${height}`)(document.querySelector('.bk-picture').getBoundingClientRect())"))
	}
	require.Equal(t, "1 · beach.jpg", strings.TrimSpace(run[string](g, "document.querySelector('.bk-picture').innerText")))
}
