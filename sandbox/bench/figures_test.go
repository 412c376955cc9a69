package main

import (
	"debug/buildinfo"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestMedianAndPercentiles(t *testing.T) {
	assert.Equal(t, span{3, 1, 9}, spanOf([]float64{9, 3, 1}))
	assert.Equal(t, span{2.5, 1, 9}, spanOf([]float64{9, 3, 1, 2}))
	assert.Equal(t, span{}, spanOf(nil))
	var all []time.Duration
	for i := range 100 {
		all = append(all, time.Duration(i+1))
	}
	assert.Equal(t, time.Duration(51), percentile(all, 0.5))
	assert.Equal(t, time.Duration(100), percentile(all, 0.99))
	assert.Zero(t, percentile(nil, 0.99))
}

func TestASymbolBelongsToItsRoomOrModule(t *testing.T) {
	modules := &buildinfo.BuildInfo{Deps: []*debug.Module{{Path: "github.com/redis/go-redis/v9"}, {Path: "gopkg.in/yaml.v3"}}}
	for symbol, want := range map[string]string{
		"darkroom/store/queue.(*Queue).Put": "darkroom/store",
		"main.main":                         "darkroom/cmd",
		"github.com/redis/go-redis/v9/internal/pool.NewConn":  "github.com/redis/go-redis/v9",
		"github.com/redis/go-redis/v9.cmdable.Get":            "github.com/redis/go-redis/v9",
		"gopkg.in/yaml%2ev3.Unmarshal":                        "gopkg.in/yaml.v3",
		"slices.SortFunc[go.shape.[]darkroom/order.X,go/a.b]": "Go: slices",
		"net/http.(*conn).serve":                              "Go: net",
		"vendor/golang.org/x/net/idna.init":                   "Go: vendored x/…",
		"type:.eq.darkroom/order.Order":                       "without a package: types, strings, the linker's own",
	} {
		assert.Equal(t, want, owner(packageOf(symbol), modules), symbol)
	}
}

func TestTracesAreCountedForTheFirstWhoIsNotGo(t *testing.T) {
	traces := `File: darkroom
Type: inuse_space
-----------+-------------------------------------------------------
     bytes:  1024B
      2048B   bytes.growSlice
             encoding/json.Marshal
             darkroom/store.encode
             github.com/x/y.Z
-----------+-------------------------------------------------------
       512B   runtime.malg
             runtime.newproc1
-----------+-------------------------------------------------------
`
	assert.Equal(t, []weight{{Name: "darkroom/store", Bytes: 2048}, {Name: "Go: runtime", Bytes: 512}}, parseTraces([]byte(traces), &buildinfo.BuildInfo{}))
}

func TestResidentPagesAreSummedByWhatTheyAre(t *testing.T) {
	smaps := `00400000-01079000 r-xp 00000000 fe:00 1 /dir/darkroom
Size: 100 kB
Rss:                8 kB
7f00-7f10 rw-p 00000000 00:00 0 [anon: Go: heap]
Rss:                4 kB
7f20-7f30 rw-p 00000000 00:00 0
Rss:                4 kB
`
	assert.Equal(t, []weight{
		{Name: "the binary: code that ran", Bytes: 8 << 10},
		{Name: "Go: heap", Bytes: 4 << 10},
		{Name: "anonymous: variables that begin as zero, the heap where the kernel names none", Bytes: 4 << 10},
	}, parseMappings([]byte(smaps)))
}

func TestCommandsAreCountedByName(t *testing.T) {
	before := parseCommandStats("# Commandstats\r\ncmdstat_get:calls=2,usec=3,usec_per_call=1\r\ncmdstat_client|setinfo:calls=4,usec=1\r\n")
	assert.Equal(t, map[string]int{"get": 2, "client|setinfo": 4}, before)
	more := less(map[string]int{"get": 5, "client|setinfo": 4, "set": 1}, before)
	assert.Equal(t, map[string]int{"get": 3, "set": 1}, more)
	assert.Equal(t, 4, total(more))
}
