// A list that floats over everything beside its anchor: a menu, the options of a
// select. It lives in the browser's top layer, so nothing clips it.

import { useEffect, useLayoutEffect } from "/static/vendor/htm-preact.js";

const gap = 4; // px between anchor and list
const edge = 8; // px kept free at the window's edges
const tallest = 320; // px

function place(anchor, list, wide) {
  const at = anchor.getBoundingClientRect();
  const below = innerHeight - at.bottom - gap - edge;
  const above = at.top - gap - edge;
  const needs = Math.min(tallest, list.scrollHeight);
  const up = below < needs && above > below;
  list.style.maxHeight = `${Math.max(80, Math.min(tallest, up ? above : below))}px`;
  if (wide) list.style.minWidth = `${at.width}px`;
  const left = Math.min(at.left, innerWidth - list.offsetWidth - edge);
  list.style.left = `${Math.max(edge, left)}px`;
  list.style.top = up ? `${at.top - gap - list.offsetHeight}px` : `${at.bottom + gap}px`;
}

/** Shows the list of listRef at the anchor while open; close is called on a press elsewhere. */
export function useFloating(anchorRef, listRef, open, close, wide = false) {
  useLayoutEffect(() => {
    const list = listRef.current;
    if (!open || !list) return undefined;
    list.showPopover();
    return () => list.isConnected && list.hidePopover();
  }, [open]);
  useLayoutEffect(() => {
    if (open && listRef.current) place(anchorRef.current, listRef.current, wide);
  });
  useEffect(() => {
    if (!open) return undefined;
    const follow = (event) => event?.target !== listRef.current && anchorRef.current && place(anchorRef.current, listRef.current, wide);
    const away = (event) => {
      if (!anchorRef.current?.contains(event.target) && !listRef.current?.contains(event.target)) close();
    };
    addEventListener("resize", follow);
    addEventListener("scroll", follow, true);
    document.addEventListener("pointerdown", away);
    return () => {
      removeEventListener("resize", follow);
      removeEventListener("scroll", follow, true);
      document.removeEventListener("pointerdown", away);
    };
  }, [open]);
}
