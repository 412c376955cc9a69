// What only one person sees does not outlive the page.

/** without is a snapshot without what only one person saw before the timestamp. */
export function without(shown, loaded) {
  const lasts = (message) => !message.ephemeral || Number(message.ts) > Number(loaded);
  const rest = { ...shown, messages: shown.messages.filter(lasts) };
  return shown.replies ? { ...rest, replies: shown.replies.filter(lasts) } : rest;
}
