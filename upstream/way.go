package upstream

import (
	"slices"
	"strings"
)

// Way is how a service is spoken to: what its interface leaves open. The fields hold what those
// of [Config] do, spelled out.
type Way struct {
	Signature string `json:"signature"` // "php", "plain" or "python", with "-flat" behind it or not
	Numbers   string `json:"numbers"`   // "string", "number" or "sent"
	Params    string `json:"params"`    // "query", "query-only", "form" or "json"
	BasicAuth bool   `json:"basic_auth"`
}

// Way is how the configuration says that the service is spoken to.
func (c Config) Way() Way {
	spelled := func(value, otherwise string) string {
		if value == "" {
			return otherwise
		}
		return value
	}
	return Way{Signature: spelled(c.Signature, "php"), Numbers: spelled(c.Numbers, asString), Params: spelled(c.Params, inQuery), BasicAuth: c.BasicAuth}
}

// Same reports whether both ways send the same bytes in every request.
func (w Way) Same(other Way) bool {
	return w.plainly() == other.plainly()
}

// plainly is w with the plainest word for what it does with numbers: outside a JSON body numbers
// travel as text.
func (w Way) plainly() Way {
	if w.Numbers == asSent && w.Params != inJSON {
		w.Numbers = asString
	}
	return w
}

// by is a client that speaks another way, over the same connections.
func (c *Client) by(w Way) *Client {
	other := *c
	other.cfg.Signature, other.cfg.Numbers, other.cfg.Params, other.cfg.BasicAuth = w.Signature, w.Numbers, w.Params, w.BasicAuth
	return &other
}

// readingWays are all the ways to sign a read, the given one first: where parameters of writes
// travel makes no difference to it.
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

// writingWays are all the ways to send a short write that fit how reads are signed, the given one first.
func writingWays(read []Way, first Way) []Way {
	var ways []Way
	for _, params := range []string{first.Params, inQuery, inForm, inJSON} {
		for _, way := range read {
			way.Params = params
			ways = append(ways, way)
			if params == inJSON && way.Numbers != asNumber {
				way.Numbers = asString
				sent := way
				sent.Numbers = asSent
				ways = append(ways, way, sent)
			}
		}
	}
	return distinct(ways, Way.writesLike)
}

// writesLike reports whether both ways send the same bytes in every short write.
func (w Way) writesLike(other Way) bool {
	return w.writing().Same(other.writing())
}

// writing is w without what makes no difference to a short write.
func (w Way) writing() Way {
	switch w.Params {
	case inJSON:
		w.Signature = strings.TrimSuffix(w.Signature, flat)
	case inQueryOnly:
		w.Params = inQuery
	}
	return w
}

// distinct leaves out each way that does what one before it does.
func distinct(ways []Way, same func(Way, Way) bool) []Way {
	var kept []Way
	for _, way := range ways {
		if !slices.ContainsFunc(kept, func(before Way) bool { return same(way, before) }) {
			kept = append(kept, way)
		}
	}
	return kept
}
