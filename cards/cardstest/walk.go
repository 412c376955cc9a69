package cardstest

import (
	"testing"
)

// AllText returns all text on the screen, buttons included.
func AllText(t *testing.T, v any) string {
	t.Helper()
	var all string
	Walk(Payload(t, v)["blocks"], func(key, s string) {
		if key == "text" {
			all += s + "\n"
		}
	})
	return all
}

// Walk visits every string with its key.
func Walk(v any, visit func(key, s string)) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			if s, ok := child.(string); ok {
				visit(key, s)
				continue
			}
			Walk(child, visit)
		}
	case []any:
		for _, child := range v {
			Walk(child, visit)
		}
	}
}
