// Blocks within blocks.

/** nested are the blocks directly within a block, in the order they are read. */
export const nested = (block) => (block.type === "layout" ? block.rows.flatMap((row) => row.items.map((item) => item.block)) : []);

/** every is each block and, right after it, those nested in it. */
export const every = (blocks) => blocks.flatMap((block) => [block, ...every(nested(block))]);
