// Package notifier makes Slack channels tell the truth about their orders.
//
// A [Poller] finds what changed at the service and records it as events; an
// [Announcer] posts each event once and keeps the order's card current. The
// watermark moves only after the message is out, and a message that may be
// out already is looked for before it is posted again: a crash neither loses
// nor repeats one.
//
// In the channel's lane the Announcer also marks people's messages, cleans up the place
// that an order left, and shows copies of previews that Slack cannot fetch.
//
// It knows no slash commands and no Redis; it sees both ends as interfaces.
package notifier
