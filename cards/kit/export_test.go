package kit

// What the tests outside the package look at.
const MaxMessage = maxMessage

var InLabel = inLabel
