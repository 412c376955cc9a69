package files

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkSigner makes the address of a photo, and believes its token: once for each photo of an
// order, and once for each look of whoever fetches it.
func BenchmarkSigner(b *testing.B) {
	s, err := NewSigner("https://darkroom.example.com", []string{strings.Repeat("k", MinKey)})
	require.NoError(b, err)
	now := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	token := s.token("F0PHOTO12345", now.Add(time.Hour))
	b.Run("url", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.URL("F0PHOTO12345", "beach.jpg", now)
		}
	})
	b.Run("verify", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Verify(token, now); err != nil {
				b.Fatal(err)
			}
		}
	})
}
