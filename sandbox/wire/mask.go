package wire

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// veil is what stands in the place of a secret.
const veil = "***"

// hiddenNames are the members, parameters and headers whose values are secrets.
var hiddenNames = []string{
	"api_key", "signature", "token", "trigger_id", "client_secret", "ticket", "bot_access_token",
	"authorization", "cookie", "set-cookie", "x-slack-signature",
}

func hidden(name string) bool { return slices.Contains(hiddenNames, strings.ToLower(name)) }

// shape is how a secret looks: hint is in every text that holds one, and what is
// in the first group stays.
type shape struct {
	hint string
	like *regexp.Regexp
}

// shapes are secrets that are known by how they look, wherever they stand.
var shapes = []shape{
	{"xox", regexp.MustCompile(`()\bxox[a-z]-[\w-]+`)},
	{"xapp-", regexp.MustCompile(`()\bxapp-[\w-]+`)},
	{"v0=", regexp.MustCompile(`()\bv0=[0-9a-f]{8,}`)},
	{"earer ", regexp.MustCompile(`(\b[Bb]earer\s+)[\w.~+/=-]{6,}`)},
	{"/response/", regexp.MustCompile(`(/response/)[^/\s"?&\\]+`)},
	{"/upload/", regexp.MustCompile(`(/upload/)[^/\s"?&\\]+`)},
	{"/files/", regexp.MustCompile(`(/files/(?:(?:thumbs|originals)/)?)[^/\s"?&\\]+/?`)},
	{"=", regexp.MustCompile(`(\b(?:api_key|signature|ticket|trigger_id|token)=)[^&\s"\\]+`)},
}

// mask hides what is secret in a text.
func (l *Log) mask(text string) string {
	for _, secret := range l.secrets {
		text = strings.ReplaceAll(text, secret, veil)
	}
	return Veiled(text)
}

// Veiled hides what looks like a secret.
func Veiled(text string) string {
	for _, secret := range shapes {
		if !strings.Contains(text, secret.hint) {
			continue
		}
		text = secret.like.ReplaceAllStringFunc(text, func(found string) string {
			kept := secret.like.FindStringSubmatch(found)[1]
			if strings.HasSuffix(found, "/") {
				return kept + veil + "/"
			}
			return kept + veil
		})
	}
	return text
}

// headers is a header with its secrets hidden.
func (l *Log) headers(h http.Header) map[string]string {
	shown := make(map[string]string, len(h))
	for name, values := range h {
		shown[name] = l.mask(strings.Join(values, ", "))
		if hidden(name) {
			shown[name] = veil
		}
	}
	return shown
}

// value is anything of JSON with its secrets hidden. Text that is JSON itself,
// as Slack and the service like to send, becomes what it says.
func (l *Log) value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if hidden(name) && inner != nil && inner != "" {
				v[name] = veil
				continue
			}
			v[name] = l.value(inner)
		}
		return v
	case []any:
		for i := range v {
			v[i] = l.value(v[i])
		}
		return v
	case string:
		if inner, ok := parsed(v); ok {
			return l.value(inner)
		}
		return l.mask(v)
	}
	return v
}

// parsed is what a text says that is a JSON object or array.
func parsed(text string) (any, bool) {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return nil, false
	}
	return v, true
}

// fields are the values of a form or a query.
func fields(values url.Values) map[string]any {
	all := make(map[string]any, len(values))
	for name, list := range values {
		all[name] = list[len(list)-1]
	}
	return all
}
