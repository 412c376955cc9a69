// Package stories plays Darkroom as its users meet it: the real binary as a process of
// its own, a real Redis, both outsides over HTTP, and people who see only what is on
// their screen. One file tells one kind of story.
//
// Every story ends by requiring that nothing strange was asked of either outside and
// that the app stopped cleanly when it was told to.
package stories
