// Package bot receives Slack's requests and routes them. A [Server] receives them over HTTP, a [Socket]
// over Socket Mode; both use one [Router]. Package bot/client calls Slack, bot/install adds the app to
// workspaces.
//
// Nothing in a request is trusted before its signature is checked. A request is answered within Slack's
// three seconds, whatever its handler does. A [Request] has the natural identity of the click, form or
// event, the same on every replay. So a job queue can recognize repeats. The package itself remembers no
// requests.
//
// Decoding is separate from delivery ([DecodeCommand], [DecodeInteraction], [DecodeEvent]), so any
// transport can share the Router.
//
// The package knows nothing about orders and builds no views.
package bot
