// Package chaos plays with fire: real processes of the app, a real redis-server with an
// append-only file, and people who act at the same time while all of it is killed, frozen,
// cut off and lied to. When it is quiet again, what people did is held against what the
// service has and what the channels show. Nothing may be lost, doubled or out of order.
//
// A [Run] has three replicas behind a balancer, first over Socket Mode and then over HTTP.
// People go by labels and text, each through the course of one order, double clicks among
// it, and do what the screen tells them. Every write of the app is a failpoint with a name (see
// cmd/darkroom/failpoints) at which the conductor may kill its process, those first at which
// nobody has died. The rest is drawn from the seed: kills at any moment, rolling restarts,
// Redis killed and frozen, answers lost before and after the deed, slow ones, no
// acknowledgements. An act counts as acknowledged when Slack got its 200 for it.
//
// One of five people is on an errand instead (errands.go has them all): they save what they asked for as a
// preset, order by it and by *Same as last order*, and approve from their Home, in one form, what they
// tick there; one order of the form is not ticked, or is handed in anew once it is. One of ten hands in a
// batch: three rows, one of them with more images than one order takes, from the message that has the file
// (a form takes no files here, where the app has no address of its own). They see the check, press Place,
// perhaps twice, and have one of its orders go on to its end. Some of the kills of the short form are aimed
// at the job that places a batch: among hundreds of failpoints its own would seldom be chosen.
//
// One channel of ten gets a limit of a month, and so do those of every other batch. Two people save the settings there at the
// same time: who orders, and who approves. An approver is asked about what goes over the limit, and declines one question of five.
//
// The service is an unkind one besides: it has twenty thousand orders of others and a new one
// every two seconds, keeps eighty characters of a project's name (in the long form none, for a third of the courses), moves its pages up and down
// while they are read, refuses a search, and does not know an order for a moment. In the end it
// knows none of ours, for ten minutes in the long form: replicas come and go meanwhile, and
// people write to their editors. No channel may be told that its order is gone, and all of
// it goes on afterwards.
//
// What is compared, and what is not:
//
//   - each act is at the service once, or its person was told otherwise, by modal, message or
//     DM; one that Slack never got an answer to may be there, once
//   - an order asks for what was on the screen when it was placed, whoever or whatever had filled it
//     in; a preset is kept as it was saved, once
//   - each order that a batch comes to is there once, with the name, the instructions, the service, the images
//     and the references of its row, and nothing is placed that nobody asked for. The file with the results
//     says so, or its person is told that Slack did not say whether it arrived; it is there twice when its sender dies before it could note that it was sent: that is named
//   - a batch is one card in the channel, with the cards of its orders in its thread; no message about its deliveries is there twice
//   - an order that was ticked is approved once, with the pictures that were beside its tick, or its
//     person is told that it is not; one that nobody ticked is not approved
//   - an order's thread holds one event for each deed of the service's history, in its order.
//     Courses wait for the channel before the editor goes on: what happens at the service
//     while an answer of ours is lost is known in another order than it happened, to everybody
//   - the editor's words come back only with an answer to a message of ours. They must be
//     shown once such an answer has certainly arrived, and never twice
//   - a setting that was saved holds, whatever others save; a channel with a limit has no more orders than it lets pass and its approver allowed
//   - one card for each order, and it tells the final truth; no jobs, dead letters or lagging
//     orders are left
//   - what the app deletes again as its younger double is not counted, but named
//
// [Upgrade] begins with one binary and replaces one replica
// after the other by another, back, and by the other one again, by the same comparison.
//
// Redis is one server, or, with -redis=sentinel or -redis=cluster, several: a fault of Redis is
// then a failover, from a main server that was killed, or frozen for long enough, and that comes
// back as the copy of its heir. Every write waits for a replica (wait_replicas=1) and nothing may
// be lost; with -wait=false a failover may take what was confirmed with it: that is named, and
// nothing may be done twice at the service.
//
// [Failover] kills the main server in the middle of a run, when its replicas have not heard from
// it for a second, and names what was lost (make failover).
//
// [Tail] forgets what Redis had confirmed: nothing may be done twice at the service; what was
// lost or is shown again is named. [Measure] times how soon another replica goes on.
//
// [Many] has one Darkroom for many workspaces on a cluster of Redis: a crowd (see sandbox/crowd) of workspaces in which channels, people
// and orders have equal ids, and in neighbors of which the same happens at the same time. Services change orders and deliver
// them, people write to editors by commands and by mentions, ask for changes and approve by forms, tokens end and are renewed, admins
// connect their accounts anew with another secret.
// Replicas are killed, in the short form right after they wrote to Slack or to a service, a master of Redis is, and all replicas are
// restarted one after the other while a new ENCRYPTION_KEY takes the place of the old one. In the end each change was told once, in order, in
// its own workspace; each account has what its own people asked for, once, and messages in the order in which they were written; no call had
// another workspace's token, or one that had ended; queues are empty; no log has a panic, of which a replica may have died and been
// started again. What a person did counts when Slack had its 200 for it.
// A command that was taken by a replica which then died may be overtaken by what was said later: each click has a lane of
// its own. That is counted.
//
// It was seen to fail with these breaks, alone, by go test ./sandbox/chaos -run ManyWorkspaces -seed 5 (the third: 4, the last: 3):
//
//	break                                                   what went red
//	the account of one workspace in ten is its neighbor's   167 messages did not arrive, changes were not told
//	a post is repeated without looking for it               3 told twice
//	the new key comes first at once                         6 messages taken and not sent: replicas without it could not open tokens
//	a poll counts its turns from zero with a new account    the logs have 40 panics (-seed 3)
//
// Known, and left out unless -late asks for it: a replica that is stopped for longer than its
// lease right between its claim's last check and its request to the service sends that request
// when it wakes, and the service has no fences. A revision was made twice that way: asked for
// again by whoever took over, delivered at once, and asked for once more by the sleeper.
//
// The suite was seen to fail with each of these breaks, alone, by go test ./sandbox/chaos -run
// 'TestShort$' -seed 3:
//
//	break                                      what went red
//	the watermark is moved before the post     channel posts: 18 lost
//	a post is repeated without looking for it  channel posts: 1 doubled
//	put is not idempotent by the job's id      told of it as a repeat: 1 doubled
//	an order is gone when it was missed twice  cards: 14 doubled
//	an approval looks at no newer pictures     approval by a tick: 1 out of order
//	a batch's card is posted without looking   messages of a batch: 1 doubled, 4 out of order
//
// A job that submits an order of its batch under another draft as well (seen with five people): order of a batch: 1 doubled.
//
// The long form (seed 7) found that a job which had waited for its turn at the service sent
// although its claim had ended meanwhile: one revision doubled. The short form spares who places
// an order, since that costs two and a half minutes each time: that an order is looked for before
// it is sent again, and that a lost claim writes nothing, is for the stories and the rooms' own tests.
package chaos
