import { useRef, type RefObject } from 'react';
import { BlockDetails } from './block-details.tsx';
import { statusOf } from './describe-block.ts';
import type { InspectedPage, PageBlock } from './page-blocks.ts';
import styles from './overlay.module.css';

interface PanelProps {
  readonly page: InspectedPage;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly chosen: PageBlock | undefined;
  readonly onToggle: (block: PageBlock) => void;
  readonly onShow: (block: PageBlock) => void;
  readonly isOpen: boolean;
  readonly onFold: (isOpen: boolean) => void;
  readonly areOutlinesOn: boolean;
  readonly onOutlines: (areOn: boolean) => void;
  readonly onClose: () => void;
}

/** The list of all blocks, which can be folded away. */
export function Panel({ page, list, chosen, onToggle, onShow, isOpen, onFold, ...props }: PanelProps) {
  const fold = useRef<HTMLButtonElement>(null);
  return (
    // Escape comes from the controls in it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      className={styles.panel}
      aria-label="Boundaries"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        onFold(false);
        fold.current?.focus();
      }}
    >
      <header className={styles.header}>
        <h2 className={styles.title}>Boundaries</h2>
        <p className={styles.summary}>{summaryOf(page)}</p>
        {page.ignored.length > 0 ? <p className={styles.warning}>{describeIgnored(page)}</p> : null}
        <div className={styles.actions}>
          <button
            type="button"
            ref={fold}
            className={styles.button}
            aria-controls="boundaries-list"
            aria-expanded={isOpen}
            onClick={() => onFold(!isOpen)}
          >
            {isOpen ? 'Fold' : 'Blocks'}
          </button>
          <button
            type="button"
            className={styles.button}
            aria-pressed={props.areOutlinesOn}
            onClick={() => props.onOutlines(!props.areOutlinesOn)}
          >
            Outlines
          </button>
          <button
            type="button"
            className={styles.button}
            aria-label="Close the overlay"
            onClick={props.onClose}
          >
            Close
          </button>
        </div>
      </header>
      <div className={styles.list} id="boundaries-list" ref={list} hidden={!isOpen}>
        {page.blocks.all.map((block) => (
          <BlockDetails
            key={`${block.remote} ${block.exposed}`}
            block={block}
            page={page}
            isOpen={block === chosen}
            onToggle={() => onToggle(block)}
            onShow={() => onShow(block)}
          />
        ))}
      </div>
    </aside>
  );
}

function describeIgnored({ ignored }: InspectedPage): string {
  const [are, them] = ignored.length === 1 ? ['is no version', 'it'] : ['are no versions', 'them'];
  return `${ignored.join(', ')} ${are} of this release, so the page does not show ${them}.`;
}

function summaryOf({ blocks: { all }, release }: InspectedPage): string {
  const count = (...statuses: readonly string[]) =>
    all.filter((block) => statuses.includes(statusOf(block))).length;
  const failed = count('fell-back', 'failed');
  const late = count('late');
  return [
    `${count('running', 'fell-back')} of ${all.length} blocks run`,
    failed > 0 && `${failed} failed`,
    late > 0 && `${late} late`,
    `release ${release.releaseId}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
