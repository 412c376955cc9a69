package workspace

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
)

// kindVerification is the delivery by which Slack verifies the request URL.
const kindVerification = "url_verification"

// VerifyURL is what saving the request URL does, and *Retry* at Event Subscriptions: it sends a
// challenge, and tells whether the app answered with it. Slack sends no event before.
// Slack: docs.slack.dev/reference/events/url_verification.
func (w *Workspace) VerifyURL() bool {
	w.mu.Lock()
	challenge := w.id("challenge")
	w.mu.Unlock()
	body := encode(object{"token": "legacy", "challenge": challenge, "type": kindVerification})
	d := w.sendHTTP(w.signed(parcel{kind: kindVerification, path: "/slack/events", contentType: "application/json", body: body}, w.nextTampering()))
	verified := d.Acknowledged() && challengeIn(d) == challenge
	defer w.change()()
	w.verified = w.verified || verified
	return verified
}

// Verified tells whether VerifyURL ever succeeded.
func (w *Workspace) Verified() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.verified
}

// challengeIn is the challenge in an answer: as plain text, as a form or as JSON.
func challengeIn(d Delivery) string {
	text := strings.TrimSpace(string(d.Answer))
	switch kind, _, _ := strings.Cut(d.AnswerType, ";"); kind {
	case "application/json":
		var answer struct{ Challenge string }
		_ = json.NewDecoder(bytes.NewReader(d.Answer)).Decode(&answer)
		return answer.Challenge
	case "application/x-www-form-urlencoded":
		form, _ := url.ParseQuery(text)
		return form.Get("challenge")
	}
	return text
}

// unheard tells whether events go nowhere, since the request URL is not verified; the caller holds the lock.
func (w *Workspace) unheard() bool {
	if desk := w.in.Desk; desk != nil {
		on, _ := desk.connections()
		return w.o.VerifyFirst && !desk.Verified() && !on
	}
	return w.o.VerifyFirst && !w.verified && !w.sockets.on
}
