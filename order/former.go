package order

// FormerPerson replaces the user ID of a person whose data was removed. It is not a Slack ID, so it is shown
// as text and mentions nobody.
const FormerPerson = "somebody who left"
