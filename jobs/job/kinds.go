// Package job holds the parts that all jobs share: their kinds, how they are put, the mark before a write is sent,
// its outcome, and who waits behind whom.
package job

// The kinds of job that are done here.
const (
	Approve      = "approve"
	Batch        = "batch" // many orders are placed, and told of as one
	Cancel       = "cancel"
	CheckBatch   = "check"            // a file of orders is read, and shown before anything is sent
	Joined       = "joined"           // a channel that the app joins again is told what it missed
	DeferredView = "fill"             // a view replaces the one that said it was loading
	Disconnect   = "disconnect"       // the workspace's account is taken away
	Export       = "export"           // somebody is sent a copy of the workspace's data
	Forget       = "forget-workspace" // and it is forgotten
	Edit         = "edit"             // the edit of what was relayed is followed
	Follow       = "follow"           // a window shows how its draft stands
	Forgotten    = "forgotten"        // it is told that an order was found by its card
	Held         = "held"             // what an approver decided about an order is done
	Home         = "home"             // a person's Home is published
	Message      = "message"
	Move         = "move"
	Place        = "place" // an order is placed
	Reference    = "reference"
	Repaint      = "repaint" // the answer to a form is painted once more
	Relay        = "relay"   // what was said in Slack goes to an editor
	Revise       = "revise"
	Selected     = "selected"  // a window shows how several approvals stand
	SlackBack    = "slackback" // operators hear of an outage of Slack
	Thread       = "thread"    // the order is found in whose thread something was said
	Watch        = "watch"     // an order that was given up is looked for
)
