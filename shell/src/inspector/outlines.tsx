import { useEffect, useState } from 'react';
import { describeOwners, describeStatus, statusOf, versionOf } from './describe-block.ts';
import { describeTimes } from './load-trace.ts';
import type { InspectedPage, PageBlock, PageBlocks } from './page-blocks.ts';
import styles from './overlay.module.css';

/** Minimum height of blocks with their label inside, in pixels. It would cover lower ones, so theirs is below them. */
const minHeightForLabel = 160;

interface OutlinesProps {
  readonly root: Element;
  readonly page: InspectedPage;
  readonly chosen: PageBlock | undefined;
  readonly isHidden: boolean;
  /** Called when a label is pressed. */
  readonly onChoose: (block: PageBlock) => void;
}

/** A frame with a label around each block, in a layer above the page, which keeps its layout. */
export function Outlines({ root, page, chosen, isHidden, onChoose }: OutlinesProps) {
  const boxes = useBoxes(root, page.blocks);
  return (
    <div className={styles.layer} hidden={isHidden}>
      {page.blocks.all.map((block, index) => {
        const box = boxes[index];
        return (
          <div
            key={`${block.remote} ${block.exposed}`}
            className={styles.frame}
            data-status={statusOf(block)}
            data-chosen={block === chosen || undefined}
            data-low={(box && box.height < minHeightForLabel) || undefined}
            hidden={!box}
            style={box && { translate: `${box.left}px ${box.top}px`, width: box.width, height: box.height }}
          >
            <button type="button" className={styles.label} onClick={() => onChoose(block)}>
              <span className={styles.dot} aria-hidden="true" />
              <span className={styles.labelTitle}>
                {[block.remote, block.exposed.slice(2), versionOf(block) ?? 'no version'].join(' · ')}
              </span>
              <span className={styles.labelFacts}>{factsOf(block, page).filter(Boolean).join(' · ')}</span>
            </button>
          </div>
        );
      })}
    </div>
  );
}

function factsOf(block: PageBlock, { owners, groupOf }: InspectedPage): readonly (string | undefined)[] {
  const { remote, steps } = block;
  return [describeOwners(owners, remote), groupOf(remote), describeStatus(block), describeTimes(steps)];
}

/** The boxes of the blocks, measured again whenever one may have moved. */
function useBoxes(root: Element, blocks: PageBlocks): readonly (DOMRect | undefined)[] {
  const [boxes, setBoxes] = useState<readonly (DOMRect | undefined)[]>([]);
  useEffect(() => {
    let frame = 0;
    const measureSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setBoxes(blocks.all.map(({ element }) => boxOf(element))));
    };
    const stop = new AbortController();
    const options = { passive: true, signal: stop.signal };
    for (const type of ['scroll', 'resize', 'load']) addEventListener(type, measureSoon, options);
    const resizes = new ResizeObserver(measureSoon);
    resizes.observe(root);
    const changes = new MutationObserver(measureSoon);
    changes.observe(root, { childList: true, subtree: true });
    const unsubscribe = blocks.subscribe(measureSoon);
    measureSoon();
    return () => {
      cancelAnimationFrame(frame);
      stop.abort();
      resizes.disconnect();
      changes.disconnect();
      unsubscribe();
    };
  }, [root, blocks]);
  return boxes;
}

/** The box around the children of a slot, which has no box of its own, from the top of the page. */
export function boxOf(slot: Element): DOMRect | undefined {
  const boxes = [...slot.children]
    .map((child) => child.getBoundingClientRect())
    .filter(({ width, height }) => width > 0 && height > 0);
  if (boxes.length === 0) return undefined;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  return new DOMRect(left + scrollX, top + scrollY, right - left, bottom - top);
}
