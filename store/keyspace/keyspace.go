// Package keyspace names keys in Redis. All keys of one keyspace share a hash tag, so that a Redis
// Cluster keeps them on one node and a script may touch several of them in one atomic step. Two
// keyspaces on one Redis share nothing, though those of workspaces in one shard have the same tag.
package keyspace

import "strings"

// Default is the tag of the keyspace that holds the one workspace of an app that has only one, and
// what an app of many workspaces keeps once for all.
const Default = "darkroom"

// Keyspace is one set of keys. The zero value has the tag [Default], and no workspace.
type Keyspace struct{ tag, workspace string }

// New returns the keyspace of a tag, which may hold anything but braces.
func New(tag string) Keyspace { return Keyspace{tag: tag} }

// In returns the keyspace of a workspace under the same tag: each of its keys begins with the
// workspace's id. Without an id it is k itself.
func (k Keyspace) In(workspace string) Keyspace {
	k.workspace = workspace
	return k
}

// Workspace is the id of the workspace whose keys these are; "" of none.
func (k Keyspace) Workspace() string { return k.workspace }

// Key names the key that has these parts.
func (k Keyspace) Key(parts ...string) string {
	tag := k.tag
	if tag == "" {
		tag = Default
	}
	name := "{" + tag + "}:"
	if k.workspace != "" {
		name += k.workspace + ":"
	}
	return name + strings.Join(parts, ":")
}

// Of returns the keyspace of the tag that a key has; false: the text is no key of any.
func Of(key string) (Keyspace, bool) {
	tag, _, found := strings.Cut(key, "}:")
	tag, braced := strings.CutPrefix(tag, "{")
	if !found || !braced || tag == "" || strings.ContainsAny(tag, "{\"") {
		return Keyspace{}, false
	}
	return New(tag), true
}
