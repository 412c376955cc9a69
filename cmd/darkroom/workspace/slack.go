package workspace

import "darkroom/bot/client"

// announced joins the parts of the client that the announcer calls, for [announce.Slack].
type announced struct {
	*client.Messages
	*client.People
	*client.Conversations
	*client.Files
}

func announcedBy(c *client.Client) announced {
	return announced{c.Messages, c.People, c.Conversations, c.Files}
}

// asked joins the parts that jobs and commands call, for [answers.Slack].
type asked struct {
	announced
	*client.Views
}

func askedOf(c *client.Client) asked { return asked{announcedBy(c), c.Views} }
