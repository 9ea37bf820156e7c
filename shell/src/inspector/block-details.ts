import {
  describeOwners,
  describeStatus,
  describeTimes,
  milliseconds,
  timings,
  versionOf,
  type BlockContext,
} from './describe-block.ts';
import { element, button } from './element.ts';
import { describeStep, statusOf } from './load-trace.ts';
import type { PageBlock, PageBlocks } from './page-blocks.ts';
import { versionsOf } from './page-versions.ts';
import { versionSwitch, type SwitchContext } from './version-switch.ts';
import styles from './boundaries.module.css';

export interface DetailsContext extends SwitchContext, BlockContext {
  /** Scrolls to a block and marks it. */
  readonly show: (block: PageBlock) => void;
}

/** One block in the list: a line that opens its facts, its load trace and its versions. */
export function blockDetails(
  block: PageBlock,
  blocks: PageBlocks,
  context: DetailsContext,
): HTMLDetailsElement {
  const state = element('span', { class: styles['state'] });
  const dot = element('span', { class: styles['dot'], 'aria-hidden': 'true' });
  const facts = element('dl', { class: styles['facts'] });
  const trace = element('ol', { class: styles['trace'], 'aria-label': 'Load trace' });
  const versions = versionSwitch(block, context);
  const details = element(
    'details',
    { class: styles['block'], name: 'boundaries' },
    element(
      'summary',
      { class: styles['line'] },
      dot,
      element('span', { class: styles['name'] }, `${block.remote} · ${block.exposed.slice(2)}`),
      state,
    ),
    element(
      'div',
      { class: styles['body'] },
      facts,
      trace,
      versions.root,
      button('Show in the page', styles['button'], () => context.show(block)),
    ),
  );
  const update = () => {
    details.dataset['status'] = statusOf(block.steps);
    state.textContent = describeStatus(block);
    facts.replaceChildren(...factsOf(block, context).flatMap(([term, text]) => fact(term, text)));
    trace.replaceChildren(
      ...block.steps.map((step) =>
        element(
          'li',
          { class: styles['step'], 'data-kind': step.kind },
          element('span', { class: styles['time'] }, milliseconds(step.at)),
          element('span', {}, describeStep(step)),
        ),
      ),
    );
    trace.hidden = block.steps.length === 0;
    versions.update();
  };
  update();
  blocks.subscribe((changed) => {
    if (changed === block) update();
  });
  details.addEventListener('toggle', () => {
    if (!details.open) return;
    context.show(block);
    const list = details.parentElement;
    if (list) list.scrollTop = details.offsetTop - list.offsetTop;
  });
  return details;
}

function fact(term: string, text: string): readonly HTMLElement[] {
  return [element('dt', {}, term), element('dd', {}, text)];
}

function factsOf(block: PageBlock, context: DetailsContext): readonly (readonly [string, string])[] {
  const version = versionOf(block);
  const role = versionsOf(context.release, block.remote).find(
    (known) => known.version.version === version,
  )?.role;
  return [
    ['Team', describeOwners(context.owners, block.remote)],
    ['Version', `${version ?? 'none'} · ${role ?? 'not in this release'}`],
    ['Canary group', context.groupOf(block.remote)],
    ['Hydrates', timings[block.hydration]],
    ['Times', describeTimes(block) ?? 'not loaded yet'],
  ];
}
