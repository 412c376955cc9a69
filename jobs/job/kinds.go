// Package job holds the parts that all jobs share: their kinds, putting them, marking a write before it is sent,
// following it to its outcome, and notifying people whose jobs wait.
package job

// The kinds of job, and what each does.
const (
	Approve      = "approve"
	Batch        = "batch" // places many orders as one
	Cancel       = "cancel"
	CheckBatch   = "check"            // reads a file of orders and shows it
	Joined       = "joined"           // announces what a channel missed before the app joined again
	DeferredView = "fill"             // replaces a view that says it is loading
	Disconnect   = "disconnect"       // deletes the workspace's account
	Export       = "export"           // sends a person a copy of the workspace's data
	Forget       = "forget-workspace" // deletes the workspace's data
	Edit         = "edit"             // follows the edit of a relayed message
	Follow       = "follow"           // shows a window the state of its draft
	Forgotten    = "forgotten"        // notifies people of an order that was found by its card
	Crops        = "crops"            // adds marked crops of photos to an order
	Decision     = "held"             // carries out what an approver decided
	Home         = "home"             // publishes a person's Home
	Message      = "message"
	Move         = "move"
	Place        = "place" // places an order
	Reference    = "reference"
	Repaint      = "repaint" // shows the answer to a form again
	Relay        = "relay"   // sends a message in Slack to an editor
	Revise       = "revise"
	Selected     = "selected"  // shows the states of several approvals
	ShowPins     = "pins"      // shows pins in the form that they belong to
	SlackBack    = "slackback" // notifies operators of an outage of Slack
	Thread       = "thread"    // finds the order of a thread
	Watch        = "watch"     // searches for an order that was given up
)
