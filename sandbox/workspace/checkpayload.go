package workspace

// checkBlocks is Slack's verdict on the blocks of a message, images fetched.
// The caller does not hold the lock.
func (w *Workspace) checkBlocks(blocks []object) error {
	c := w.newChecker(inMessage)
	c.blocks("/blocks", blocks)
	if len(c.problems) > 0 {
		return &apiError{code: "invalid_blocks", messages: c.problems, novel: c.novel == len(c.problems)}
	}
	if c.text > maxBlocksText {
		return fails("msg_blocks_too_long")
	}
	return w.checkImages(c)
}

// checkView is Slack's verdict on a modal or a home, images fetched. The
// caller does not hold the lock.
func (w *Workspace) checkView(view object) error {
	if len(encode(view)) > maxViewBytes {
		return fails("view_too_large")
	}
	where := surface(str(view, "type"))
	if where != inModal && where != inHome {
		return invalid([]string{"[ERROR] unsupported type [json-pointer:/view/type]"})
	}
	c := w.newChecker(where)
	c.frame(view)
	c.blocks("/view/blocks", objects(view["blocks"]))
	c.submit(view)
	if c.focused > 1 {
		c.fail("/view/blocks", "only one element may have focus_on_load")
	}
	if len(c.problems) > 0 {
		return &apiError{code: "invalid_arguments", messages: c.problems, novel: c.novel == len(c.problems)}
	}
	return w.checkImages(c)
}

func invalid(messages []string) error {
	return &apiError{code: "invalid_arguments", messages: messages}
}

// frame checks what surrounds a view's blocks.
func (c *checker) frame(view object) {
	c.size("/view", view, "private_metadata", maxPrivate, false)
	c.size("/view", view, "callback_id", maxID, false)
	c.size("/view", view, "external_id", maxID, false)
	if _, present := view["blocks"].([]any); !present {
		c.fail("/view/blocks", "missing required field: blocks")
	}
	if c.surface == inModal {
		c.textObject("/view", view, "title", maxModalTitle, true, true)
		c.textObject("/view", view, "submit", maxModalTitle, true, false)
		c.textObject("/view", view, "close", maxModalTitle, true, false)
	}
}

// submit wants a submit label when there is anything to submit.
func (c *checker) submit(view object) {
	if _, present := view["submit"].(object); c.surface == inModal && c.inputs > 0 && !present {
		c.fail("/view/submit", "missing required field: submit, the view has input blocks")
	}
}

// checkMetadata wants a type and a flat payload.
// Slack: docs.slack.dev/messaging/message-metadata.
func checkMetadata(value any) error {
	m, isObject := value.(object)
	if !isObject {
		return fails("invalid_metadata_format")
	}
	if len(m) == 0 {
		return nil
	}
	payload, hasPayload := m["event_payload"].(object)
	switch {
	case str(m, "event_type") == "" || !hasPayload:
		return fails("invalid_metadata_format")
	case len(encode(m)) > 8000:
		return fails("metadata_too_large")
	case !flat(payload, true):
		return fails("invalid_metadata_schema")
	}
	return nil
}

// flat allows scalars, and at the top also flat objects and lists of them.
func flat(o object, top bool) bool {
	for _, value := range o {
		switch v := value.(type) {
		case string, float64, bool:
		case object:
			if !top || !flat(v, false) {
				return false
			}
		case []any:
			for _, e := range v {
				if inner, isObject := e.(object); !top || !isObject || !flat(inner, false) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// unreachable is Slack's word for a picture it could not fetch.
const unreachable = "downloading image failed"

// unprocessed is Slack's word for a file it has not looked at yet: no mistake
// of the app's, but it has to try again.
const unprocessed = "invalid slack file: not processed yet"

// rejectedImage is the verdict on a picture Slack cannot show: it costs the
// whole message or view.
func rejectedImage(at, why string) error {
	return &apiError{code: "invalid_blocks", messages: []string{"[ERROR] " + why + " [json-pointer:" + at + "]"}}
}

func (w *Workspace) checkImages(c *checker) error {
	if err := w.fetchImages(c.images); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, i := range c.files {
		f := w.file(i.name)
		if f == nil || !w.appReads(f) || !shown(sniffed(f.Content)) {
			return rejectedImage(i.at, "invalid slack file")
		}
		if f.ready.IsZero() || w.now().Before(f.ready) {
			return rejectedImage(i.at, unprocessed)
		}
	}
	return nil
}
