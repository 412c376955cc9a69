// Package keyspace names keys in Redis. All keys of one keyspace share a hash tag, so that a Redis
// Cluster keeps them on one node and a script may touch several of them in one atomic step. Two
// keyspaces on one Redis share nothing.
package keyspace

import "strings"

// Default is the tag of the keyspace that holds everything there is today.
const Default = "darkroom"

// Keyspace is one set of keys. The zero value has the tag [Default].
type Keyspace struct{ tag string }

// New returns the keyspace of a tag, which may hold anything but braces.
func New(tag string) Keyspace { return Keyspace{tag: tag} }

// Key names the key that has these parts.
func (k Keyspace) Key(parts ...string) string {
	tag := k.tag
	if tag == "" {
		tag = Default
	}
	return "{" + tag + "}:" + strings.Join(parts, ":")
}

// Of returns the keyspace that a key is in; false: the text is no key of any.
func Of(key string) (Keyspace, bool) {
	tag, _, found := strings.Cut(key, "}:")
	tag, braced := strings.CutPrefix(tag, "{")
	if !found || !braced || tag == "" || strings.ContainsAny(tag, "{\"") {
		return Keyspace{}, false
	}
	return New(tag), true
}
