// Package bot takes Slack's requests: they come in through a [Server] (HTTP), a [Socket] (Socket Mode)
// or both, and are routed by a [Router]. Calls to Slack are in bot/client, installing is in bot/install.
//
// No byte of a request is believed before its signature is; a request
// is answered within Slack's three seconds whatever its handler does; and a
// [Request] carries the natural identity of the click, form or event it came
// from, the same on every replay, so that whoever keeps jobs can tell a repeat
// from a new wish. The package itself forgets every request it has answered.
//
// The decoding of payloads is apart from their delivery ([DecodeCommand],
// [DecodeInteraction], [DecodeEvent]): any way in may share the Router.
//
// It knows nothing about orders and builds no views.
package bot
