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

// maxURL is the most bytes of a request's address.
const maxURL = 8000

// Where the parameters of a POST or DELETE travel: see [Config].
const (
	inQuery     = "query"
	inQueryOnly = "query-only"
	inForm      = "form"
	inJSON      = "json"
)

// inBody reports whether the parameters travel in a form body. length is that of the address with all
// parameters in it. Only a POST can have a body: PHP fills $_REQUEST from no other method.
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

// params are the parameters of one request by name. A value is a string, an int64, a []string, a [][]string or
// a map[string][]string: the types that dialect.write knows. Empty values are neither sent nor signed.
type params map[string]any

// signed returns a copy with key, timestamp and signature. Each attempt is signed anew.
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

// signable returns the parameters in their signed form: a flat dialect signs arrays and maps as text.
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

// values returns the parameters for a query or a form. Arrays and maps are the very JSON text that was signed.
func (p params) values(d dialect) url.Values {
	v := make(url.Values, len(p))
	for key, value := range p {
		switch value := value.(type) {
		case string:
			v.Set(key, string([]rune(value))) // invalid UTF-8 replaced, as in the signed text
		case int64:
			v.Set(key, strconv.FormatInt(value, 10))
		default:
			v.Set(key, d.encode(value))
		}
	}
	return v
}
