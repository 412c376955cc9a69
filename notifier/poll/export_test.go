package poll

// GoOnFrom gives a poller another one's saved state, as the next delivery of the job does.
func (p *Poller) GoOnFrom(before *Poller) {
	if before != nil {
		p.state = before.state
	}
}
