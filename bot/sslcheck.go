package bot

import (
	"bytes"
	"net/url"
)

// sslCheck reports whether a body is Slack's certificate check of a command: a form with ssl_check=1 and
// the old verification token. Slack sends it without a signature and expects an empty 200, see
// https://docs.slack.dev/interactivity/implementing-slash-commands. Bolt for JavaScript and Python also
// answer it before they verify. Nothing else in it may be used.
func sslCheck(contentType string, body []byte) bool {
	if !bytes.Contains(body, []byte("ssl_check=1")) || kindOf(contentType, body) != formType {
		return false
	}
	form, err := url.ParseQuery(string(body))
	return err == nil && form.Get("ssl_check") == "1"
}
