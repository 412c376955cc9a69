/** seen tells whether an element takes any room on the screen. */
export const seen = (node) => node.getClientRects().length > 0;
