// Package chaos plays with fire: real processes of the app, a real redis-server with an
// append-only file, and people who act at the same time while all of it is killed, frozen,
// cut off and lied to. When it is quiet again, what people did is held against what the
// service has and what the channels show. Nothing may be lost, doubled or out of order.
package chaos
