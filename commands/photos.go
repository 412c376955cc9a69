package commands

import (
	"context"

	"darkroom/bot"
)

// ShortcutPhotos is the callback id of the message shortcut *Order these photos*.
const ShortcutPhotos = "order_photos"

func (c *Commands) openPhotos(ctx context.Context, r bot.Request) error { return errNotBuilt }

func (c *Commands) removePhoto(ctx context.Context, r bot.Request) error { return errNotBuilt }
