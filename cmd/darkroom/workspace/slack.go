package workspace

import "darkroom/bot/client"

// announced has the parts of the client that the announcer calls.
type announced struct {
	*client.Messages
	*client.People
	*client.Conversations
	*client.Files
}

func announcedBy(c *client.Client) announced {
	return announced{c.Messages, c.People, c.Conversations, c.Files}
}

// asked has what jobs and commands call besides.
type asked struct {
	announced
	*client.Views
}

func askedOf(c *client.Client) asked { return asked{announcedBy(c), c.Views} }
