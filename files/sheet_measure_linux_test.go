package files

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// measuredEnv names the folder with the pictures, in the process that is measured.
const measuredEnv = "DARKROOM_TEST_SHEETS"

// The memory of a process that makes contact sheets of large photos, with pictures among them that would do harm, stays
// under 200 MB: it is measured in a process of its own. The race detector takes as much again.
func TestTheMemoryOfContactSheetsIsBounded(t *testing.T) {
	if dir := os.Getenv(measuredEnv); dir != "" {
		if found, err := os.ReadDir(dir); err != nil || len(found) == 0 {
			writePictures(t, dir)
			return
		}
		makeSheets(t, dir)
		return
	}
	if build, _ := debug.ReadBuildInfo(); slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("memory is not measured with the race detector")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	for range 2 { // the first writes the pictures, which takes memory, too
		cmd := exec.CommandContext(t.Context(), self, "-test.v", "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), measuredEnv+"="+dir, "GOGC=100")
		said, err := cmd.CombinedOutput()
		t.Logf("%s", said)
		require.NoError(t, err)
	}
}

// writePictures puts large photos into a folder, and pictures among them that would do harm.
func writePictures(t *testing.T, dir string) {
	t.Helper()
	write := func(name string, data []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	var lossless bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&lossless, scene(4000, 3000, 7)))
	write("0-12.png", lossless.Bytes())
	write("1-24.jpg", asJPEG(t, scene(6000, 4000, 7)))
	write("2-12.jpg", asJPEG(t, grainy(4000, 3000)))
	for name, data := range hostiles(t) {
		write(fmt.Sprintf("%d-%s", 3+len(name)%5, name), data)
	}
	write("9-12.jpg", asJPEG(t, scene(4000, 3000, 70)))
}

// makeSheets makes sheets of all pictures in a folder, and tells the most memory that the process had.
func makeSheets(t *testing.T, dir string) {
	t.Helper()
	srv := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer srv.Close()
	found, err := os.ReadDir(dir)
	require.NoError(t, err)
	sheets := NewSheets(true, nil, slog.New(slog.DiscardHandler))
	var rows []SheetRow
	for i := range SheetRows {
		at := func(n int) SheetPicture {
			return SheetPicture{"edit", []Photo{{URL: srv.URL + "/" + found[n%len(found)].Name()}}}
		}
		rows = append(rows, SheetRow{Label: strconv.Itoa(i + 1), Pictures: []SheetPicture{at(2 * i), at(2*i + 1), at(len(found) - 1)}})
	}
	for range 2 {
		data, err := sheets.Make(t.Context(), rows)
		require.NoError(t, err)
		require.LessOrEqual(t, len(data), maxSheetBytes)
	}
	peak := peakMemory(t)
	t.Logf("at most %d MB", peak>>20)
	require.Less(t, peak, int64(200<<20))
}

var sheetPhotos = flag.Int("photos", 1, "how many images the contact sheets have that are measured; the largest order has 50")

// BenchmarkContactSheets makes the contact sheets of an order: images of twelve megapixels, three pictures each.
func BenchmarkContactSheets(b *testing.B) {
	s := shop{"/photo.jpg": asJPEG(b, grainy(4000, 3000))}
	sheets, base := s.sheets(b)
	picture := SheetPicture{"edit", []Photo{{URL: base + "/photo.jpg"}}}
	largest := 0
	for b.Loop() {
		for left := *sheetPhotos; left > 0; left -= SheetRows {
			rows := make([]SheetRow, min(SheetRows, left))
			for i := range rows {
				rows[i] = SheetRow{Label: strconv.Itoa(i + 1), Pictures: []SheetPicture{picture, picture, picture}}
			}
			data, err := sheets.Make(b.Context(), rows)
			require.NoError(b, err)
			largest = max(largest, len(data))
		}
	}
	b.ReportMetric(float64(largest>>10), "kB/sheet")
	b.ReportMetric(float64(peakMemory(b)>>20), "peak-MB")
}

// grainy is a photo as cameras make them: it does not compress to nothing.
func grainy(w, h int) *image.RGBA {
	m := scene(w, h, 50)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		if i%4 < 3 {
			m.Pix[i] = m.Pix[i]/2 + uint8(random.IntN(12))
		}
	}
	return m
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory is the most that this process ever had, in bytes.
func peakMemory(tb testing.TB) int64 {
	tb.Helper()
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(tb, err)
	found := highWater.FindSubmatch(status)
	require.NotNil(tb, found)
	kilobytes, err := strconv.ParseInt(string(found[1]), 10, 64)
	require.NoError(tb, err)
	return kilobytes << 10
}
