package config

// Secret is a value that is never printed: fmt, slog and JSON all show ***.
type Secret string

// Masked replaces the value of a secret in output.
const Masked = "***"

// String hides the value from fmt.
func (s Secret) String() string { return Masked }

// GoString hides it from %#v.
func (s Secret) GoString() string { return Masked }

// MarshalText hides it from JSON and from slog's handlers.
func (s Secret) MarshalText() ([]byte, error) { return []byte(Masked), nil }
