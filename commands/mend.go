package commands

// What only an operator can mend, a missing permission or a refused token, is no reason to
// throw away what people asked for: the job waits, they are told, and so are the operators.
