// Package bot is the app's ears and mouth in Slack: requests come in through a
// [Server] (HTTP), a [Socket] (Socket Mode) or both, and are routed by a [Router];
// everything that goes out goes through one [Client].
//
// Inward: no byte of a request is believed before its signature is; a request
// is answered within Slack's three seconds whatever its handler does; and a
// [Request] carries the natural identity of the click, form or event it came
// from, the same on every replay, so that whoever keeps jobs can tell a repeat
// from a new wish. The package itself forgets every request it has answered.
//
// Outward: every failed call is of a known class, and a post that may be out is
// never called failed: see [ErrUnknownOutcome]. No secret, neither a token nor a
// response URL nor a connection's address, is ever part of an error's text.
//
// The decoding of payloads is apart from their delivery ([DecodeCommand],
// [DecodeInteraction], [DecodeEvent]): any way in may share the Router.
//
// It knows nothing about orders and builds no views.
package bot
