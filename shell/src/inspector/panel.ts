import { element, button } from './element.ts';
import { blockDetails, type DetailsContext } from './block-details.ts';
import { statusOf } from './load-trace.ts';
import type { PageBlock, PageBlocks } from './page-blocks.ts';
import styles from './boundaries.module.css';

/** Windows that have room for the page beside the panel. */
const roomy = '(width >= 64rem)';

export interface PanelContext extends DetailsContext {
  /** Versions in the URL that the release does not contain. */
  readonly ignored: readonly string[];
}

interface PanelActions {
  readonly onOutlines: (isOn: boolean) => void;
  readonly onClose: () => void;
}

interface Panel {
  readonly root: HTMLElement;
  /** Opens the details of a block, and moves the focus there. */
  open(block: PageBlock): void;
}

/** The list of all blocks, which can be folded away. */
export function createPanel(
  blocks: PageBlocks,
  context: PanelContext,
  { onOutlines, onClose }: PanelActions,
): Panel {
  const details = new Map(blocks.all.map((block) => [block, blockDetails(block, blocks, context)]));
  const list = element('div', { class: styles['list'], id: 'boundaries-list' }, ...details.values());
  const summary = element('p', { class: styles['summary'] });
  const summarize = () => (summary.textContent = summaryOf(blocks, context.release.releaseId));
  summarize();
  blocks.subscribe(summarize);

  let areOutlinesOn = true;
  const outlines = button(
    'Outlines',
    styles['button'],
    () => {
      areOutlinesOn = !areOutlinesOn;
      outlines.setAttribute('aria-pressed', String(areOutlinesOn));
      onOutlines(areOutlinesOn);
    },
    { 'aria-pressed': 'true' },
  );
  const fold = button('', styles['button'], () => setOpen(list.hidden !== false), {
    'aria-controls': list.id,
  });
  const setOpen = (isOpen: boolean) => {
    list.hidden = !isOpen;
    fold.textContent = isOpen ? 'Fold' : 'Blocks';
    fold.setAttribute('aria-expanded', String(isOpen));
  };
  setOpen(matchMedia(roomy).matches);

  const root = element(
    'aside',
    { class: styles['panel'], 'aria-label': 'Boundaries' },
    element(
      'header',
      { class: styles['header'] },
      element('h2', { class: styles['title'] }, 'Boundaries'),
      summary,
      ...(context.ignored.length > 0
        ? [element('p', { class: styles['warning'] }, describeIgnored(context))]
        : []),
      element(
        'div',
        { class: styles['actions'] },
        fold,
        outlines,
        button('Close', styles['button'], onClose, { 'aria-label': 'Close the overlay' }),
      ),
    ),
    list,
  );
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list.hidden) return;
    event.stopPropagation();
    setOpen(false);
    fold.focus();
  });
  return {
    root,
    open(block) {
      setOpen(true);
      const chosen = details.get(block);
      if (!chosen) return;
      chosen.open = true;
      chosen.querySelector('summary')?.focus();
    },
  };
}

function describeIgnored({ ignored }: PanelContext): string {
  const [are, them] = ignored.length === 1 ? ['is no version', 'it'] : ['are no versions', 'them'];
  return `${ignored.join(', ')} ${are} of this release, so the page does not show ${them}.`;
}

function summaryOf({ all }: PageBlocks, releaseId: string): string {
  const count = (...statuses: readonly string[]) =>
    all.filter(({ steps }) => statuses.includes(statusOf(steps))).length;
  const parts = [
    `${count('running', 'fell-back')} of ${all.length} blocks run`,
    ...[count('fell-back', 'failed')].filter(Boolean).map((failed) => `${failed} failed`),
    ...[count('late')].filter(Boolean).map((late) => `${late} late`),
    `release ${releaseId}`,
  ];
  return parts.join(' · ');
}
