package poll

// GoOnFrom has a poller begin with what another one left, as the next delivery of the job does.
func (p *Poller) GoOnFrom(before *Poller) {
	if before != nil {
		p.state = before.state
	}
}
