// A card: a picture, words, at most three buttons. A carousel: some of them in a row.

import { html, useEffect, useRef, useState } from "/static/vendor/htm-preact.js";
import { Element } from "./element.js";
import { Picture } from "./picture.js";
import { useSurface } from "./surface.js";
import { Text } from "./text.js";

/** A card; as large as its words need. */
export function Card({ block }) {
  return html`<article class="bk-card">
    ${block.hero_image && html`<${Picture} of=${block.hero_image} look="hero" />`}
    ${(block.title || block.subtitle || block.icon) && html`<div class="bk-card__head">
      ${block.icon && html`<${Picture} of=${block.icon} look="icon" />`}
      <div class="bk-card__titles">
        ${block.title && html`<div class="bk-card__title" dir="auto"><${Text} of=${block.title} /></div>`}
        ${block.subtitle && html`<div class="bk-card__soft" dir="auto"><${Text} of=${block.subtitle} /></div>`}
      </div>
    </div>`}
    ${block.body && html`<div dir="auto"><${Text} of=${block.body} /></div>`}
    ${block.subtext && html`<div class="bk-card__soft" dir="auto"><${Text} of=${block.subtext} /></div>`}
    ${block.actions?.length > 0 && html`<div class="bk-actions">${block.actions.map((element) => html`<${Element} key=${element.action_id} block=${block} element=${element} />`)}</div>`}
  </article>`;
}

/** Cards to scroll through sideways: with the arrows beside them, the arrow keys, or a finger. */
export function Carousel({ block }) {
  const { drawAll } = useSurface();
  const strip = useRef();
  const [ends, look] = useEnds(strip);
  const go = (step) => strip.current.scrollBy({ left: step * strip.current.firstElementChild.offsetWidth });
  const arrow = (step, name, sign) => html`<button type="button" class="bk-icon bk-carousel__arrow" aria-label=${name} aria-disabled=${String(ends[step])}
    onClick=${() => go(step)}><span aria-hidden="true">${sign}</span></button>`;
  const n = block.elements.length;
  return html`<div class="bk-carousel" role="group" aria-roledescription="carousel" aria-label=${n === 1 ? "1 card" : `${n} cards`}>
    <div class="bk-carousel__strip" role="group" aria-label="Cards" tabindex="0" ref=${strip} onScroll=${look}>
      ${block.elements.map((card, i) => html`<div key=${card.block_id} class="bk-carousel__card" role="group" aria-label=${`${i + 1} of ${n}`}>${drawAll([card])}</div>`)}
    </div>
    ${!(ends[-1] && ends[1]) && html`<div class="bk-carousel__arrows">${arrow(-1, "Previous card", "‹")}${arrow(1, "Next card", "›")}</div>`}
  </div>`;
}

// useEnds tells whether a strip is at its start (-1) and its end (1).
function useEnds(strip) {
  const [ends, setEnds] = useState({ "-1": true, 1: true });
  const look = () => {
    const { scrollLeft, scrollWidth, clientWidth } = strip.current;
    const now = { "-1": scrollLeft < 1, 1: scrollLeft + clientWidth > scrollWidth - 1 };
    setEnds((before) => (before[1] === now[1] && before[-1] === now[-1] ? before : now));
  };
  useEffect(() => {
    const sized = new ResizeObserver(look);
    sized.observe(strip.current);
    return () => sized.disconnect();
  }, []);
  return [ends, look];
}
