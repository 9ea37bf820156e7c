import { element } from './element.ts';
import { createOutlines, boxOf, followPage } from './outlines.ts';
import type { PageBlock, PageBlocks } from './page-blocks.ts';
import { boundariesParameter } from './page-versions.ts';
import { createPanel, type PanelContext } from './panel.ts';
import styles from './boundaries.module.css';

/** Shows outlines and panel above the page. They stand outside of the slots, so hydration does not see them. */
export function showOverlay(root: Element, blocks: PageBlocks, context: Omit<PanelContext, 'show'>): void {
  const show = (block: PageBlock) => {
    outlines.highlight(block);
    const box = boxOf(block.element);
    const isVisible = box && box.top >= 0 && box.bottom <= innerHeight;
    if (box && !isVisible) scrollTo({ top: box.top + scrollY - innerHeight / 5 });
  };
  const outlines = createOutlines(blocks, context, (block) => panel.open(block));
  const panel = createPanel(
    blocks,
    { ...context, show },
    {
      onOutlines: (isOn) => (outlines.layer.hidden = !isOn),
      onClose() {
        overlay.remove();
        const url = new URL(location.href);
        url.searchParams.delete(boundariesParameter);
        // A chosen version would stay in the page, so the page is loaded again without it.
        if (context.choice.size > 0) context.open(url.href);
        else history.replaceState(history.state, '', url);
      },
    },
  );
  const overlay = element('div', { class: styles['overlay'] }, outlines.layer, panel.root);
  document.body.append(overlay);
  followPage(root, outlines.place);
}
