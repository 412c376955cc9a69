package order

import (
	"fmt"
	"io"
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
