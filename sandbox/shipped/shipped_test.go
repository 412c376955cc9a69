package shipped

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestItIsBuiltAsMakeBuildDoes(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^build:.*\n\t(\S+) go build (.*) -o \S+ \./cmd/darkroom$`).FindSubmatch(makefile)
	require.NotNil(t, found, "make build is one go build")
	require.Equal(t, cgo, string(found[1]))
	given := strings.NewReplacer(` -buildvcs=auto`, "", ` -tags production`, "", `"`, "").Replace(string(found[2]))
	require.Equal(t, strings.Join(flags(), " "), given)
}
