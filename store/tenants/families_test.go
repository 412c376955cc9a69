package tenants_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/store/tenants"
)

func TestEveryFamilyOfKeysIsForgottenWithItsWorkspace(t *testing.T) {
	var listed []string
	for _, file := range []string{"../keys.go", "../ratelimit/keys.go"} {
		keys, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, name := range regexp.MustCompile(`(?m)^//\t([a-z-]+)(?::[A-Z:]+)? {2,}`).FindAllStringSubmatch(string(keys), -1) {
			listed = append(listed, name[1])
		}
	}
	// Locks expire, a mark stays for a while, and the others are no single workspace's, or the directory's.
	kept := []string{"lock", "connection", "replicas", "installation", "account", "workspaces", "renewing", "oauth-state", "moved", "moving"}
	listed = slices.DeleteFunc(listed, func(name string) bool { return slices.Contains(kept, name) })
	slices.Sort(listed)
	require.ElementsMatch(t, slices.Compact(listed), tenants.Families)
}
