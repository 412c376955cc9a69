package bot

import (
	"bytes"
	"fmt"
	"time"
	"unicode/utf8"

	"darkroom/bot/lenient"
)

// decodeForm decodes a form: the fields of a command, or one payload. It unescapes in place, so the body
// must not be used afterwards.
func decodeForm(body []byte, at time.Time) ([]Request, error) {
	var l slashCommand
	var payload []byte
	err := eachField(body, func(name, value []byte) {
		if string(name) == "payload" && payload == nil {
			payload = value
		} else if string(name) == "is_enterprise_install" {
			l.OrgWide = string(value) == "true"
		} else if at := l.field(string(name)); at != nil && *at == "" {
			*at = validText(value)
		}
	})
	switch {
	case err != nil:
		return nil, err
	case payload != nil:
		return DecodeInteraction(payload, at)
	}
	return single(l.request(at))
}

// field returns the field of a form name, or nil for an unused name.
func (l *slashCommand) field(name string) *string {
	switch name {
	case "command":
		return &l.Command
	case "text":
		return &l.Text
	case "trigger_id":
		return &l.TriggerID
	case "response_url":
		return &l.ResponseURL
	case "user_id":
		return &l.UserID
	case "team_id":
		return &l.TeamID
	case "channel_id":
		return &l.ChannelID
	case "channel_name":
		return &l.ChannelName
	case "enterprise_id":
		return &l.EnterpriseID
	}
	return nil
}

// validText returns the text with U+FFFD in place of invalid UTF-8: a job's body is JSON.
func validText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string([]rune(string(b)))
}

var errForm = fmt.Errorf("%w: no form", lenient.ErrMalformed)

// eachField calls field for each field of a form, by the rules of [net/url.ParseQuery]. One broken escape
// or a semicolon makes the whole form invalid.
func eachField(form []byte, field func(name, value []byte)) error {
	for len(form) > 0 {
		var pair []byte
		pair, form, _ = bytes.Cut(form, []byte("&"))
		if bytes.IndexByte(pair, ';') >= 0 {
			return errForm
		}
		name, value, _ := bytes.Cut(pair, []byte("="))
		name, whole := unescape(name)
		value, also := unescape(value)
		if !whole || !also {
			return errForm
		}
		if len(pair) > 0 {
			field(name, value)
		}
	}
	return nil
}

// unescape decodes plus signs and escapes in place. It returns false for a broken escape.
func unescape(b []byte) ([]byte, bool) {
	n := 0
	for i := 0; i < len(b); n++ {
		switch b[i] {
		case '%':
			if i+2 >= len(b) {
				return nil, false
			}
			high, low := hexDigit[b[i+1]], hexDigit[b[i+2]]
			if high|low > 0xf {
				return nil, false
			}
			b[n] = high<<4 | low
			i += 3
		case '+':
			b[n] = ' '
			i++
		default:
			b[n] = b[i]
			i++
		}
	}
	return b[:n], true
}

// hexDigit maps each hex digit to its value and other bytes to noDigit. It is a table for speed: half of
// Slack's form bytes are escaped.
var hexDigit = func() (table [256]byte) {
	const noDigit = 0xff
	for c := range table {
		table[c] = noDigit
	}
	for value, c := range "0123456789abcdef" {
		table[c] = byte(value)
	}
	for value, c := range "ABCDEF" {
		table[c] = byte(10 + value)
	}
	return table
}()
