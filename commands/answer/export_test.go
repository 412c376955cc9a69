package answer

// AckView is how large a view in an acknowledgement may be.
const AckView = ackView
