package bot

import (
	"bytes"
	"net/url"
)

// sslCheck tells whether a body is the check that Slack makes of a command's certificate:
// a form with ssl_check=1 and the old verification token. It comes without a signature
// and wants an empty 200, see
// https://docs.slack.dev/interactivity/implementing-slash-commands; Bolt for JavaScript
// and Python answer it before they verify, too. Nothing else of it may be read.
func sslCheck(contentType string, body []byte) bool {
	if !bytes.Contains(body, []byte("ssl_check=1")) || kindOf(contentType, body) != formType {
		return false
	}
	form, err := url.ParseQuery(string(body))
	return err == nil && form.Get("ssl_check") == "1"
}
