package main

// secret is a value that is never printed: fmt, slog and JSON all show ***.
type secret string

const masked = "***"

// String hides the value from fmt.
func (s secret) String() string { return masked }

// GoString hides it from %#v.
func (s secret) GoString() string { return masked }

// MarshalText hides it from JSON and from slog's handlers.
func (s secret) MarshalText() ([]byte, error) { return []byte(masked), nil }
