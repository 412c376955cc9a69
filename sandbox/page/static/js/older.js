// An older client: at /?older=layout,card the page does not know these blocks, as a Slack
// that has not been updated.

const types = new Set((globalThis.location?.search ? new URLSearchParams(location.search).get("older") ?? "" : "").split(","));

/** drawable are the blocks as this client draws them: what it does not know is what it falls back to. */
export const drawable = (blocks, unknown = types) => blocks.flatMap((block) => (unknown.has(block.type) ? instead(block) : [block]));

const instead = (block) => (block.fallback?.length > 0 ? block.fallback : [{ ...block, type: "unknown" }]);
