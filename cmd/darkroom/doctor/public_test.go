package doctor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDoctorWarnsOfACertificateThatEnds(t *testing.T) {
	t.Parallel()
	now := time.Now()
	require.Equal(t, Green, certificate(now.Add(60*24*time.Hour), now).State)
	require.Equal(t, Yellow, certificate(now.Add(3*24*time.Hour), now).State)
}
