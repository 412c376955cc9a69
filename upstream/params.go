package upstream

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strconv"

	"darkroom/order"
)

// maxURL is the longest address sent.
const maxURL = 8000

// Where the parameters of a POST or DELETE travel: see [Config].
const (
	inQuery     = "query"
	inQueryOnly = "query-only"
	inForm      = "form"
	inJSON      = "json"
)

// inBody reports whether the parameters of a request travel in a form body, of the length that its address would have
// with them. A body is read with a POST alone: PHP fills $_REQUEST from no other.
func (c *Client) inBody(r request, length int) (bool, error) {
	switch {
	case r.write() && c.cfg.Params == inForm:
		return true, nil
	case length <= maxURL:
		return false, nil
	case r.method == http.MethodPost && c.cfg.Params != inQueryOnly:
		return true, nil
	}
	return false, &order.InputError{Problem: fmt.Sprintf(
		"This is too long for the photo service: it takes %d bytes at once, and this has %d. Shorten the text, or send fewer photos at once.", maxURL, length)}
}

// params are the parameters of one request by name. A value is a string, an
// int64, a []string, a [][]string or a map[string][]string: what dialect.write
// can write. What is empty is neither sent nor signed.
type params map[string]any

// signed adds key, timestamp and the signature over all of them. The receiver
// stays as it is, so that each attempt is signed anew.
func (p params) signed(d dialect, key, secret string, unix int64) params {
	all := params{"api_key": key, "timestamp": unix}
	for name, value := range p {
		if v := reflect.ValueOf(value); !v.IsZero() && (v.Kind() == reflect.Int64 || v.Len() > 0) {
			all[name] = value
		}
	}
	all["signature"] = sign(secret, d.encode(all))
	return all
}

// signable are the parameters as they are signed: a flat dialect signs arrays and maps as their text.
func (p params) signable(d dialect) params {
	if !d.flat {
		return p
	}
	texts := maps.Clone(p)
	for name, value := range texts {
		switch value.(type) {
		case string, int64:
		default:
			texts[name] = d.encode(value)
		}
	}
	return texts
}

// values are the parameters as a query or a form: texts and numbers as they
// are, arrays and maps as the very JSON text that was signed.
func (p params) values(d dialect) url.Values {
	v := make(url.Values, len(p))
	for key, value := range p {
		switch value := value.(type) {
		case string:
			v.Set(key, string([]rune(value))) // broken bytes replaced, as in what was signed
		case int64:
			v.Set(key, strconv.FormatInt(value, 10))
		default:
			v.Set(key, d.encode(value))
		}
	}
	return v
}
