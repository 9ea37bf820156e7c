import { Fragment } from 'react';
import { describeOwners, describeStatus, statusOf, timings, versionOf } from './describe-block.ts';
import { describeStep, describeTimes, milliseconds } from './load-trace.ts';
import type { InspectedPage, PageBlock } from './page-blocks.ts';
import { versionsOf } from './page-versions.ts';
import { VersionSwitch } from './version-switch.tsx';
import styles from './overlay.module.css';

interface BlockDetailsProps {
  readonly block: PageBlock;
  readonly page: InspectedPage;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Scrolls to the block. */
  readonly onShow: () => void;
}

/** One block in the list: a line that opens its facts, its load trace and its versions. */
export function BlockDetails({ block, page, isOpen, onToggle, onShow }: BlockDetailsProps) {
  const { steps } = block;
  return (
    <details
      className={styles.block}
      data-status={statusOf(block)}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) onToggle();
      }}
    >
      <summary className={styles.line}>
        <span className={styles.dot} aria-hidden="true" />
        <span className={styles.name}>{`${block.remote} · ${block.exposed.slice(2)}`}</span>
        <span className={styles.state}>{describeStatus(block)}</span>
      </summary>
      <div className={styles.body}>
        <dl className={styles.facts}>
          {factsOf(block, page).map(([term, text]) => (
            <Fragment key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </Fragment>
          ))}
        </dl>
        {steps.length > 0 ? (
          <ol className={styles.trace} aria-label="Load trace">
            {steps.map((step, index) => (
              <li key={index} className={styles.step} data-kind={step.kind}>
                <span className={styles.time}>{milliseconds(step.at)}</span>
                <span>{describeStep(step)}</span>
              </li>
            ))}
          </ol>
        ) : null}
        <VersionSwitch block={block} page={page} />
        <button type="button" className={styles.button} onClick={onShow}>
          Show in the page
        </button>
      </div>
    </details>
  );
}

function factsOf(block: PageBlock, page: InspectedPage): readonly (readonly [string, string])[] {
  const shown = versionOf(block);
  const role = versionsOf(page.release, block.remote).find(({ version }) => version.version === shown)?.role;
  return [
    ['Team', describeOwners(page.owners, block.remote)],
    ['Version', `${shown ?? 'none'} · ${role ?? 'not in this release'}`],
    ['Canary group', page.groupOf(block.remote)],
    ['Hydrates', timings[block.hydration]],
    ['Times', describeTimes(block.steps) ?? 'not loaded yet'],
  ];
}
