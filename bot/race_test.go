//go:build race

package bot_test

func raced() bool { return true }
