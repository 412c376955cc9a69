// The least Bolt app that does what Darkroom's door does, and stores nothing: /order answers
// with a help text in its acknowledgement, the order form is read field by field and answered
// with a view. Both answers are Darkroom's own, byte for byte, so that both write as much.
'use strict';

const fs = require('node:fs');
const { App, HTTPReceiver, LogLevel } = require('@slack/bolt');

const help = JSON.parse(fs.readFileSync(process.env.HELP_FILE, 'utf8'));
const placing = JSON.parse(fs.readFileSync(process.env.PLACING_FILE, 'utf8'));

const receiver = new HTTPReceiver({
  signingSecret: process.env.SLACK_SIGNING_SECRET,
  endpoints: ['/slack/events', '/slack/commands', '/slack/interactions'],
  logLevel: LogLevel.ERROR,
});

const app = new App({
  token: process.env.SLACK_BOT_TOKEN,
  receiver,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
  logLevel: LogLevel.ERROR,
});

app.command('/order', async ({ ack }) => {
  await ack(help);
});

// field is what was typed or chosen under the block ids that begin with name.
function field(values, name) {
  for (const [block, actions] of Object.entries(values)) {
    if (block.split(':')[0] !== name) continue;
    for (const a of Object.values(actions)) {
      return a.value ?? a.selected_option?.value ?? a.selected_options ?? a.selected_conversation ?? a.files;
    }
  }
  return undefined;
}

app.view('new', async ({ ack, view, body }) => {
  const meta = JSON.parse(view.private_metadata);
  const order = {
    draft: meta.draft,
    user: body.user.id,
    channel: field(view.state.values, 'channel') ?? meta.channel,
    photos: field(view.state.values, 'photos'),
    images: (field(view.state.values, 'images') ?? '').split(/\s+/).filter(Boolean),
    service: field(view.state.values, 'service'),
    instructions: (field(view.state.values, 'instructions') ?? '').split('\n').filter(Boolean),
    perImage: field(view.state.values, 'perimage'),
    more: field(view.state.values, 'more'),
    project: field(view.state.values, 'project'),
    customer: field(view.state.values, 'customer'),
  };
  if (order.instructions.length === 0 || order.images.length === 0) {
    await ack({ response_action: 'errors', errors: { instructions: 'Say what should be done.' } });
    return;
  }
  await ack({ ...placing, view: { ...placing.view, external_id: view.external_id } });
});

const [host, port] = process.env.LISTEN.split(':');
app.start({ host, port: Number(port) });
