package main

import "darkroom/bot/client"

// announced has the parts of the client that the announcer calls.
type announced struct {
	*client.Messages
	*client.People
	*client.History
	*client.Files
}

func announcedBy(c *client.Client) announced {
	return announced{c.Messages, c.People, c.History, c.Files}
}

// asked has what jobs and commands call besides.
type asked struct {
	announced
	*client.Views
}
