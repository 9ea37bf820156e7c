import { element, button } from './element.ts';
import {
  describeOwners,
  describeTimes,
  describeStatus,
  versionOf,
  type BlockContext,
} from './describe-block.ts';
import { statusOf } from './load-trace.ts';
import type { PageBlock, PageBlocks } from './page-blocks.ts';
import styles from './boundaries.module.css';

/** Blocks that are lower than this have their label below them, in pixels: inside it would cover them. */
const minHeightForLabel = 160;

/** A frame with a label around each block, in a layer above the page, which keeps its layout. */
interface Outlines {
  readonly layer: HTMLElement;
  /** Marks one block. */
  highlight(block: PageBlock | undefined): void;
  /** Measures the page again. */
  place(): void;
}

/** @param onChoose called when a label is pressed */
export function createOutlines(
  blocks: PageBlocks,
  { groupOf, owners }: Pick<BlockContext, 'groupOf' | 'owners'>,
  onChoose: (block: PageBlock) => void,
): Outlines {
  const titleOf = (block: PageBlock) =>
    [block.remote, block.exposed.slice(2), versionOf(block) ?? 'no version'].join(' · ');
  const factsOf = (block: PageBlock) =>
    [describeOwners(owners, block.remote), groupOf(block.remote), describeStatus(block), describeTimes(block)]
      .filter(Boolean)
      .join(' · ');

  const frames = blocks.all.map((block) => {
    const label = button('', styles['label'], () => onChoose(block));
    const frame = element('div', { class: styles['frame'] }, label);
    const describe = () => {
      const status = statusOf(block.steps);
      frame.dataset['status'] = status;
      label.replaceChildren(
        element('span', { class: styles['dot'], 'aria-hidden': 'true' }),
        element('span', { class: styles['labelTitle'] }, titleOf(block)),
        element('span', { class: styles['labelFacts'] }, factsOf(block)),
      );
    };
    describe();
    return { block, frame, describe };
  });
  blocks.subscribe((changed) => {
    frames.find(({ block }) => block === changed)?.describe();
    layout.place();
  });
  const layer = element('div', { class: styles['layer'] }, ...frames.map(({ frame }) => frame));
  const layout: Outlines = {
    layer,
    highlight(chosen) {
      for (const { block, frame } of frames) frame.toggleAttribute('data-chosen', block === chosen);
    },
    place() {
      // Reads first, then writes, so that the browser lays the page out once.
      const boxes = frames.map(({ block }) => boxOf(block.element));
      frames.forEach(({ frame }, index) => {
        const box = boxes[index];
        frame.hidden = !box;
        if (!box) return;
        frame.toggleAttribute('data-low', box.height < minHeightForLabel);
        const { style } = frame;
        style.translate = `${box.left + scrollX}px ${box.top + scrollY}px`;
        style.width = `${box.width}px`;
        style.height = `${box.height}px`;
      });
    },
  };
  return layout;
}

/** The box around the children of a slot, which has no box of its own. */
export function boxOf(slot: Element): DOMRect | undefined {
  const boxes = [...slot.children]
    .map((child) => child.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);
  if (boxes.length === 0) return undefined;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  return new DOMRect(left, top, right - left, bottom - top);
}

/** Calls `place` whenever a block may have moved. */
export function followPage(root: Element, place: () => void): void {
  let isPlanned = false;
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      place();
    });
  };
  const resizes = new ResizeObserver(plan);
  resizes.observe(root);
  new MutationObserver(plan).observe(root, { childList: true, subtree: true });
  for (const type of ['scroll', 'resize', 'load']) addEventListener(type, plan, { passive: true });
  plan();
}
