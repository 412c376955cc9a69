package order

// FormerPerson stands where a person stood whose data was removed: as who asked for an order, or did
// something to it. It is no id of Slack's, so it is shown as it is and nobody is mentioned.
const FormerPerson = "somebody who left"
