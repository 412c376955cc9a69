package queue

import (
	"context"

	"darkroom/store/script"
)

// DropDelayed forgets the delayed jobs of the view's tenant that are not due yet. Their ids stay known for 25 hours more. It
// scans the delayed jobs of all tenants, a page at a time.
func (q *Queue) DropDelayed(ctx context.Context) (dropped int, err error) {
	for cursor := uint64(0); ; {
		var found []string // each id is followed by its due time
		found, cursor, err = q.space.rdb.ZScan(ctx, q.space.key("later"), cursor, q.space.name("*"), page).Result()
		if err != nil {
			return dropped, errorf("drop", "delayed jobs", err)
		}
		for i := 0; i+1 < len(found); i += 2 {
			gone, err := q.space.did(ctx, "drop_delayed", script.Args{"id": found[i], "remember": idempotencyTTL})
			if err != nil {
				return dropped, errorf("drop", "delayed jobs", err)
			}
			if gone {
				dropped++
			}
		}
		if cursor == 0 {
			return dropped, nil
		}
	}
}
