package upstream

import (
	"maps"
	"net/url"
	"strconv"
	"strings"
)

// maxURL is the longest address sent; longer parameters go into a form body.
const maxURL = 8000

// place is where the parameters of a POST or DELETE travel.
type place int

const (
	inQuery place = iota
	inForm
	inJSON
)

var places = map[string]place{"": inQuery, "query": inQuery, "form": inForm, "json": inJSON}

// params are the parameters of one request by name. A value is a string, an
// int64, a []string, a [][]string or a map[string][]string: what dialect.write
// can write. What is empty is never added, so it is neither sent nor signed.
type params map[string]any

func (p params) text(key, value string) {
	if value != "" {
		p[key] = utf8Only(value)
	}
}

func (p params) number(key string, n int) {
	if n > 0 {
		p[key] = int64(n)
	}
}

func (p params) lines(key string, lines []string) {
	if len(lines) > 0 {
		p[key] = utf8Lines(lines)
	}
}

func (p params) rows(key string, rows [][]string) {
	clean := make([][]string, len(rows))
	for i, row := range rows {
		clean[i] = utf8Lines(row)
	}
	p[key] = clean
}

func (p params) byImage(key string, m map[string][]string) {
	clean := make(map[string][]string, len(m))
	for id, lines := range m {
		clean[utf8Only(id)] = utf8Lines(lines)
	}
	p[key] = clean
}

// utf8Only replaces broken bytes before signing: the service would see them
// replaced after decoding, and compute another signature.
func utf8Only(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func utf8Lines(lines []string) []string {
	clean := make([]string, len(lines))
	for i, line := range lines {
		clean[i] = utf8Only(line)
	}
	return clean
}

// signed adds key, timestamp and the signature over all of them. The receiver
// stays as it is, so that each attempt is signed anew.
func (p params) signed(d dialect, key, secret string, unix int64) params {
	all := maps.Clone(p)
	if all == nil {
		all = params{}
	}
	all["api_key"] = key
	all["timestamp"] = unix
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
			v.Set(key, value)
		case int64:
			v.Set(key, strconv.FormatInt(value, 10))
		default:
			v.Set(key, d.encode(value))
		}
	}
	return v
}
