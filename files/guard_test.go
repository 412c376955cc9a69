package files

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGuardLetsOnlyPublicAddressesThrough(t *testing.T) {
	tests := map[string]struct{ public, private bool }{
		"93.184.215.14":        {true, true},
		"1.1.1.1":              {true, true},
		"172.15.255.255":       {true, true},
		"172.32.0.0":           {true, true},
		"100.63.255.255":       {true, true},
		"100.128.0.0":          {true, true},
		"2606:4700:4700::1111": {true, true},
		"::ffff:1.1.1.1":       {true, true},
		"64:ff9b::101:101":     {true, true}, // where there is no IPv4, every picture is there

		"127.0.0.1":              {false, true},
		"127.255.255.254":        {false, true},
		"::1":                    {false, true},
		"10.0.0.1":               {false, true},
		"172.16.0.1":             {false, true},
		"172.31.255.255":         {false, true},
		"192.168.1.1":            {false, true},
		"100.64.0.1":             {false, true},
		"100.127.255.255":        {false, true},
		"fc00::1":                {false, true},
		"fd12:3456::1":           {false, true},
		"::ffff:127.0.0.1":       {false, true},
		"::ffff:10.0.0.1":        {false, true},
		"64:ff9b::7f00:1":        {false, true},
		"64:ff9b::a00:1":         {false, true},
		"2002:7f00:1::":          {false, false},
		"2002:c0a8:101::1":       {false, false},
		"2002:101:101::1":        {false, false},
		"::127.0.0.1":            {false, false}, // the old "compatible" form
		"::ffff:0:127.0.0.1":     {false, false}, // the translated form
		"64:ff9b:1::7f00:1":      {false, false}, // translators of one's own
		"0.0.0.0":                {false, false},
		"0.1.2.3":                {false, false},
		"::":                     {false, false},
		"169.254.169.254":        {false, false},
		"169.254.170.2":          {false, false},
		"::ffff:169.254.169.254": {false, false},
		"64:ff9b::a9fe:a9fe":     {false, false},
		"2002:a9fe:a9fe::":       {false, false},
		"fe80::1":                {false, false},
		"fe80::1%lo":             {false, false},
		"100.100.100.200":        {false, false},
		"168.63.129.16":          {false, false},
		"192.0.0.192":            {false, false},
		"fd00:ec2::254":          {false, false},
		"fd20:ce::254":           {false, false},
		"192.0.2.1":              {false, false},
		"198.51.100.1":           {false, false},
		"203.0.113.1":            {false, false},
		"2001:db8::1":            {false, false},
		"3fff::1":                {false, false},
		"198.18.0.1":             {false, false},
		"198.19.255.255":         {false, false},
		"2001:2::1":              {false, false},
		"2001:0:a00:1::":         {false, false}, // Teredo
		"192.88.99.1":            {false, false},
		"192.31.196.1":           {false, false},
		"192.175.48.1":           {false, false},
		"192.52.193.1":           {false, false},
		"2620:4f:8000::1":        {false, false},
		"224.0.0.1":              {false, false},
		"239.255.255.255":        {false, false},
		"ff02::1":                {false, false},
		"240.0.0.1":              {false, false},
		"255.255.255.255":        {false, false},
		"fec0::1":                {false, false},
		"5f00::1":                {false, false},
		"100::1":                 {false, false},
	}
	for address, tt := range tests {
		a := netip.MustParseAddr(address)
		assert.Equal(t, tt.public, guard{}.allows(a), "%s", address)
		assert.Equal(t, tt.private, guard{allowPrivate: true}.allows(a), "%s where private ones are allowed", address)
	}
}

func TestGuardDialsNothingButTCPToAnAddress(t *testing.T) {
	g := guard{allowPrivate: true}
	assert.NoError(t, g.control(t.Context(), "tcp4", "127.0.0.1:80", nil))
	assert.NoError(t, g.control(t.Context(), "tcp6", "[::1]:8080", nil))
	for network, address := range map[string]string{"udp4": "127.0.0.1:53", "unix": "/run/docker.sock", "tcp4": "localhost:80", "tcp6": ""} {
		assert.ErrorIs(t, g.control(t.Context(), network, address, nil), ErrRefused, "%s %s", network, address)
	}
}
