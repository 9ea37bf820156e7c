import { useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { boxOf, Outlines } from './outlines.tsx';
import type { InspectedPage, PageBlock } from './page-blocks.ts';
import { boundariesParameter } from './page-versions.ts';
import { Panel } from './panel.tsx';
import styles from './overlay.module.css';

/** Media query of windows that have room for the page beside the panel. */
const hasRoomForPanel = '(width >= 64rem)';

/**
 * Shows the overlay above the page and outside of the slots, so hydration does not see it.
 *
 * @param root contains the blocks
 */
export function showOverlay(root: Element, page: InspectedPage): void {
  const container = document.createElement('div');
  container.className = styles.overlay ?? '';
  document.body.append(container);
  const overlay = createRoot(container);
  const close = () => {
    overlay.unmount();
    container.remove();
    const url = new URL(location.href);
    url.searchParams.delete(boundariesParameter);
    // A chosen version would stay in the page, so the page is loaded again without it.
    if (page.choice.size > 0) location.assign(url);
    else history.replaceState(history.state, '', url);
  };
  overlay.render(<Overlay root={root} page={page} onClose={close} />);
}

interface OverlayProps {
  readonly root: Element;
  readonly page: InspectedPage;
  readonly onClose: () => void;
}

/** Outlines of the blocks, and the panel that lists them. A block is chosen in either. */
export function Overlay({ root, page, onClose }: OverlayProps) {
  // Renders again after each change, because blocks change in place.
  useSyncExternalStore(page.blocks.subscribe, page.blocks.countChanges);
  const [chosen, setChosen] = useState<PageBlock>();
  const [areOutlinesOn, setOutlinesOn] = useState(true);
  const [isOpen, setOpen] = useState(() => matchMedia(hasRoomForPanel).matches);
  const list = useRef<HTMLDivElement>(null);

  const choose = (block: PageBlock) => {
    flushSync(() => {
      setChosen(block);
      setOpen(true);
    });
    // The chosen block is the only open one.
    const details = list.current?.querySelector<HTMLElement>(':scope > [open]');
    details?.querySelector('summary')?.focus();
    if (list.current && details) list.current.scrollTop = details.offsetTop - list.current.offsetTop;
    scrollToBlock(block);
  };
  return (
    <>
      <Outlines root={root} page={page} chosen={chosen} isHidden={!areOutlinesOn} onChoose={choose} />
      <Panel
        page={page}
        list={list}
        chosen={chosen}
        onToggle={(block) => (block === chosen ? setChosen(undefined) : choose(block))}
        onShow={scrollToBlock}
        isOpen={isOpen}
        onFold={setOpen}
        areOutlinesOn={areOutlinesOn}
        onOutlines={setOutlinesOn}
        onClose={onClose}
      />
    </>
  );
}

function scrollToBlock({ element }: PageBlock): void {
  const box = boxOf(element);
  const isVisible = box && box.top >= scrollY && box.bottom <= scrollY + innerHeight;
  if (box && !isVisible) scrollTo({ top: box.top - innerHeight / 5 });
}
