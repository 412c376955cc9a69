package store

import (
	"context"
	"fmt"
	"io"

	"github.com/redis/go-redis/v9"
)

// referenceAlphabet has no letters and digits that look alike: of 0 O D, 1 I L,
// 2 Z, 5 S, 6 G, 8 B, U V at most one is in it.
const (
	referenceAlphabet = "23456789ACDEFHJKMNPQRTVWXY"
	referenceLength   = 6 // the shortest keyword the service searches for
)

// GenerateReference returns a new reference of ours, made of the randomness of
// r. It is unique only once [Store.ReserveReference] says so.
func GenerateReference(r io.Reader) (string, error) {
	reference := make([]byte, referenceLength)
	for i := range reference {
		n, err := pick(r, len(referenceAlphabet))
		if err != nil {
			return "", fmt.Errorf("reference: %w", err)
		}
		reference[i] = referenceAlphabet[n]
	}
	return string(reference), nil
}

// FriendlyName returns two friendly words for a project without a name, made
// of the randomness of r.
func FriendlyName(r io.Reader) (string, error) {
	first, err := pick(r, len(friendlyFirst))
	if err != nil {
		return "", fmt.Errorf("friendly name: %w", err)
	}
	second, err := pick(r, len(friendlySecond))
	if err != nil {
		return "", fmt.Errorf("friendly name: %w", err)
	}
	return friendlyFirst[first] + " " + friendlySecond[second], nil
}

// pick returns a number below n, up to 256, each as likely as the others.
func pick(r io.Reader, n int) (int, error) {
	var b [1]byte
	for {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return 0, err
		}
		if int(b[0]) < 256-256%n {
			return int(b[0]) % n, nil
		}
	}
}

var friendlyFirst = [...]string{
	"Amber", "Bright", "Calm", "Cheerful", "Clear", "Cosy", "Crisp", "Gentle",
	"Golden", "Happy", "Kind", "Lively", "Lucky", "Mellow", "Merry", "Misty",
	"Quiet", "Rosy", "Silver", "Smiling", "Soft", "Sunny", "Velvet", "Warm",
}

var friendlySecond = [...]string{
	"Beach", "Breeze", "Brook", "Cloud", "Dawn", "Forest", "Garden", "Harbor",
	"Hill", "Island", "Lake", "Lantern", "Meadow", "Morning", "Mountain", "Orchard",
	"Pebble", "River", "Shore", "Sky", "Spring", "Summer", "Valley", "Willow",
}

// ReserveReference keeps a reference for a draft, until its order is placed
// under it. False: another draft or order has it. Asking again is safe.
func (s *Store) ReserveReference(ctx context.Context, reference, draftID string) (bool, error) {
	code, err := s.run(ctx, reserveScript, []string{referenceKey(reference)}, "draft:"+draftID, referenceLife.Milliseconds())
	if err != nil {
		return false, fmt.Errorf("reference %s: %w", reference, err)
	}
	return code == 1, nil
}

// Reserved tells whether anybody ever reserved a reference, as far as Redis remembers.
func (s *Store) Reserved(ctx context.Context, reference string) (bool, error) {
	n, err := s.rdb.Exists(ctx, referenceKey(reference)).Result()
	if err != nil {
		return false, fmt.Errorf("reference %s: %w", reference, err)
	}
	return n > 0, nil
}

// KEYS: 1 reference. ARGV: 1 whose it is, 2 ms to keep it. Returns 1, or 0 when
// it is another's.
var reserveScript = redis.NewScript(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`)
