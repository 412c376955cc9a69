package upstream

import (
	"net/url"
	"reflect"
	"strconv"
)

// maxURL is the longest address sent; longer parameters go into a form body.
const maxURL = 8000

// Where the parameters of a POST or DELETE travel: see [Config].
const (
	inQuery = "query"
	inForm  = "form"
	inJSON  = "json"
)

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
