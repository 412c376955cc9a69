package files

import (
	"image"
	"image/color"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// grainy is a photo as cameras make them: it does not compress to nothing.
func grainy(w, h int) *image.RGBA {
	m := scene(w, h, 50)
	random := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < len(m.Pix); i += 4 {
		noise := uint8(random.IntN(12))
		at := color.RGBA{m.Pix[i], m.Pix[i+1], m.Pix[i+2], 255}
		m.Pix[i], m.Pix[i+1], m.Pix[i+2] = at.R/2+noise, at.G/2+noise, at.B/2+noise
	}
	return m
}

// measured runs this test again, as a process of its own that makes sheets of the pictures in dir.
func measured(t *testing.T, dir string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "MEASURE_SHEETS="+dir)
	said, err := cmd.CombinedOutput()
	t.Logf("%s", said)
	require.NoError(t, err)
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory is the most that this process ever had, in bytes.
func peakMemory(t *testing.T) int64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	found := highWater.FindSubmatch(status)
	require.NotNil(t, found)
	kilobytes, err := strconv.ParseInt(string(found[1]), 10, 64)
	require.NoError(t, err)
	return kilobytes << 10
}
