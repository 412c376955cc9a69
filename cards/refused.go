package cards

import "strings"

// MustWait tells a person that what they asked for waits, because Slack refuses the app
// something that only whoever runs it can mend. told says that they know, none that nothing of
// it was sent.
func MustWait(asked string, told, none bool) Message {
	sent := ""
	if none {
		sent = "Nothing was sent yet. "
	}
	goes := "please tell them, and I go on"
	if told {
		goes = "I have told them, and go on"
	}
	return Say("What you asked for (" + asked + ") has to wait: Slack refuses me something that I need for it, and only whoever runs me can mend that. " +
		sent + "Nothing is lost, and you need not do it again: " + goes + " by myself as soon as I may.")
}

// NotAllowed answers a click that Slack does not let the app answer; told says that whoever
// runs it knows.
func NotAllowed(told bool) string {
	who := "please tell them"
	if told {
		who = "I have told them"
	}
	return "Slack refuses me something that I need for this, and only whoever runs me can mend that: " + who + ". Nothing was sent; please try again later."
}

// OpsRefused tells the operations channel what Slack refuses: the method, Slack's code, and
// the scopes that it asks for.
func OpsRefused(method, code, needed string) string {
	says := "Slack refuses me `" + inline(method, 80) + "`: " + inline(code, 80) + ". What people asked for waits, nothing is lost, and it goes on by itself once this is mended. "
	if needed == "" {
		return says + "Please check my token: install me again, and give me the new one."
	}
	scopes := strings.Join(strings.FieldsFunc(needed, func(r rune) bool { return r == ',' || r == ' ' }), "`, `")
	return says + "Please give me the scope `" + inline(scopes, 200) + "` (`darkroom manifest` lists all) and install me again."
}
