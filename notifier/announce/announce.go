// Package announce makes Slack channels show what the store knows of their orders.
//
// An [Announcer] posts each event once and keeps the order's card current. The watermark of an order
// moves only after the message is out. A message that may be out already is looked for before it is
// posted again: a crash neither loses nor repeats one.
//
// In the channel's lane the Announcer also marks people's messages, cleans up the place
// that an order left, and shows copies of previews that Slack cannot fetch.
//
// It knows no slash commands and no Redis; it sees both ends as interfaces.
package announce
