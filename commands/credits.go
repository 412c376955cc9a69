package commands

// The credits are the account's: full members read them, unless the operators keep them to
// themselves; guests and people of other organisations never do.
