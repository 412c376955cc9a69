// Package keyspace names keys in Redis. All keys of one keyspace share a hash tag. So a Redis Cluster
// keeps them on one node, and a script may use several of them in one atomic step. Two keyspaces share
// no keys, but the workspaces of one shard have the same tag.
package keyspace

import (
	"cmp"
	"strings"
)

// Default is the tag for the workspace of an app that has only one. In an app for many workspaces, it
// is the tag of their common data.
const Default = "darkroom"

// Keyspace is a set of keys. The zero value has the tag [Default] and no workspace.
type Keyspace struct{ tag, workspace string }

// New returns the keyspace of a tag, which may hold anything but braces.
func New(tag string) Keyspace { return Keyspace{tag: tag} }

// In returns the keyspace of a workspace under the same tag; its keys begin with the workspace's id. In("")
// returns the keyspace without a workspace.
func (k Keyspace) In(workspace string) Keyspace {
	k.workspace = workspace
	return k
}

// Workspace returns the id of the keyspace's workspace; "": it has none.
func (k Keyspace) Workspace() string { return k.workspace }

// Key joins the parts to a key.
func (k Keyspace) Key(parts ...string) string {
	name := "{" + cmp.Or(k.tag, Default) + "}:"
	if k.workspace != "" {
		name += k.workspace + ":"
	}
	return name + strings.Join(parts, ":")
}

// Of returns the keyspace with the tag of a key; false: the text is not such a key.
func Of(key string) (Keyspace, bool) {
	tag, _, found := strings.Cut(key, "}:")
	tag, braced := strings.CutPrefix(tag, "{")
	if !found || !braced || tag == "" || strings.ContainsAny(tag, "{\"") {
		return Keyspace{}, false
	}
	return New(tag), true
}
