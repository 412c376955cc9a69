// Blocks within blocks.

/** nested are the blocks directly within a block, in the order they are read. */
export function nested(block) {
  if (block.type === "layout") return block.rows.flatMap((row) => row.items.map((item) => item.block));
  if (block.type === "container") return block.child_blocks;
  return block.type === "carousel" ? block.elements : [];
}

/** every is each block and, right after it, those nested in it. */
export const every = (blocks) => blocks.flatMap((block) => [block, ...every(nested(block))]);
