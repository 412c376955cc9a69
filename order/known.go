package order

// Known is what is known of an order: what it was last seen to be, and of its course what
// no snapshot shows.
type Known struct {
	Order     Order      // all that the answers told so far, merged
	Version   int64      // grows by one with every change recorded
	Gone      bool       // the service knows it no longer
	Adopted   bool       // made elsewhere, and tracked later
	Untracked bool       // its channel is told so, and then nothing more
	Delivered *Delivered // nil: nothing was ready for review yet
	Pauses    int        // how often the service paused it
}

// Delivered is the newest delivery that was told as an event.
type Delivered struct {
	Revision int    `json:"revision"`
	Images   string `json:"images,omitempty"` // a fingerprint of the pictures; "": none were told
	Again    bool   `json:"again,omitempty"`  // there was another under this number before
}

// Unseen says that a revision is ready whose pictures no answer has shown yet.
func (k Known) Unseen() bool {
	return k.Order.Status == StatusReviewing && (k.Delivered == nil || k.Delivered.Revision != k.Order.Rev())
}
