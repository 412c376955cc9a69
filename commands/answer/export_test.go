package answer

// AckView is the maximum size of an acknowledging view.
const AckView = ackView
