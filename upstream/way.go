package upstream

import (
	"cmp"
	"slices"
	"strings"
)

// Way is how to talk to a service: the choices that its interface leaves open. The fields have the values of
// [Config], without "".
type Way struct {
	Signature string `json:"signature"` // "php", "plain" or "python", optionally with "-flat"
	Numbers   string `json:"numbers"`   // "string", "number" or "sent"
	Params    string `json:"params"`    // "query", "query-only", "form" or "json"
	BasicAuth bool   `json:"basic_auth"`
}

// Way returns the way of a configuration.
func (c Config) Way() Way {
	return Way{Signature: cmp.Or(c.Signature, "php"), Numbers: cmp.Or(c.Numbers, asString), Params: cmp.Or(c.Params, inQuery), BasicAuth: c.BasicAuth}
}

// Same reports whether both ways send the same bytes in every request.
func (w Way) Same(other Way) bool {
	return w.canonical() == other.canonical()
}

// canonical replaces "sent" by "string" where it means the same: outside a JSON body numbers travel as text.
func (w Way) canonical() Way {
	if w.Numbers == asSent && w.Params != inJSON {
		w.Numbers = asString
	}
	return w
}

// with returns a client for another way, over the same connections.
func (c *Client) with(w Way) *Client {
	other := *c
	other.cfg.Signature, other.cfg.Numbers, other.cfg.Params, other.cfg.BasicAuth = w.Signature, w.Numbers, w.Params, w.BasicAuth
	return &other
}

// readingWays returns all ways to sign a read, the given one first. The place of write parameters does not
// matter.
func readingWays(first Way) []Way {
	ways := []Way{first}
	for _, basic := range []bool{first.BasicAuth, !first.BasicAuth} {
		for _, signature := range []string{first.Signature, "php", "plain", "python", "php-flat", "plain-flat", "python-flat"} {
			for _, numbers := range []string{first.Numbers, asString, asNumber} {
				ways = append(ways, Way{Signature: signature, Numbers: numbers, Params: first.Params, BasicAuth: basic})
			}
		}
	}
	return distinct(ways, Way.Same)
}

// writingWays returns all ways to send a short write that agree with read, the ways to sign a read. Those with the place of
// first come first. In a JSON body a number can travel as a number or as text. Unless reads are signed with numbers, both
// are tried.
func writingWays(read []Way, first Way) []Way {
	var ways []Way
	for _, params := range []string{first.Params, inQuery, inForm, inJSON} {
		for _, way := range read {
			way.Params = params
			ways = append(ways, way)
			if params == inJSON && way.Numbers != asNumber {
				text, number := way, way
				text.Numbers, number.Numbers = asString, asSent
				ways = append(ways, text, number)
			}
		}
	}
	return distinct(ways, Way.writesLike)
}

// writesLike reports whether both ways send the same bytes in every short write.
func (w Way) writesLike(other Way) bool {
	return w.writing().Same(other.writing())
}

// writing removes the differences that do not matter to a short write.
func (w Way) writing() Way {
	switch w.Params {
	case inJSON:
		w.Signature = strings.TrimSuffix(w.Signature, flat)
	case inQueryOnly:
		w.Params = inQuery
	}
	return w
}

// distinct drops each way that is the same as an earlier one.
func distinct(ways []Way, same func(Way, Way) bool) []Way {
	var kept []Way
	for _, way := range ways {
		if !slices.ContainsFunc(kept, func(before Way) bool { return same(way, before) }) {
			kept = append(kept, way)
		}
	}
	return kept
}
