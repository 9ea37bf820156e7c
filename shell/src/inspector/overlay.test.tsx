import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sampleRelease, sampleVersion } from '../testing/sample-release.ts';
import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { Overlay } from './overlay.tsx';
import { createPageBlocks, type InspectedPage } from './page-blocks.ts';

const release = sampleRelease({
  'mf-pricing': { live: sampleVersion('1.1.0'), previous: sampleVersion('1.0.0') },
});

function showOverlay(other: Partial<InspectedPage> = {}) {
  document.body.innerHTML =
    '<div data-remote="mf-pricing" data-exposed="./pricing" data-prerendered="1.1.0"></div>';
  stubMediaQueries('(width >= 64rem)');
  globalThis.ResizeObserver = class {
    observe() {}
    disconnect() {}
  } as unknown as typeof ResizeObserver;
  const blocks = createPageBlocks(document.body, release);
  const [block] = blocks.all;
  if (!block) throw new Error('The page has no block.');
  const onClose = jest.fn();
  const page: InspectedPage = {
    blocks,
    release,
    choice: new Map(),
    ignored: [],
    acceptsLinks: true,
    owners: { '*': ['*'], 'mf-pricing': ['pricing-team'] },
    groupOf: () => 'no canary',
    ...other,
  };
  const { container } = render(<Overlay root={document.body} page={page} onClose={onClose} />);
  const outlines = container.querySelector('.layer');
  return {
    outlines,
    blocks,
    block,
    onClose,
    openBlock: () => userEvent.click(screen.getByText('mf-pricing · pricing')),
  };
}

test('panel: a block shows team, version, group and each step', async () => {
  const { blocks, block, openBlock } = showOverlay();
  act(() => {
    block.element.setAttribute('data-version', '1.1.0');
    blocks.add(block, { kind: 'loaded', version: '1.1.0', milliseconds: 250.4 }, 350.4);
    blocks.add(block, { kind: 'hydrated', version: '1.1.0' }, 362);
  });
  await openBlock();
  expect(screen.getByText('pricing-team')).toBeVisible();
  expect(screen.getByText('1.1.0 · live', { selector: 'dd' })).toBeVisible();
  expect(screen.getByText('250 ms to load + 12 ms to hydrate')).toBeVisible();
  expect(screen.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
    '350 ms1.1.0 loaded in 250 ms',
    '362 ms1.1.0 hydrated in the prerendered markup',
  ]);
  expect(screen.getByText(/1 of 1 blocks run/)).toBeVisible();
});

test('panel: the keyboard folds it away, and switches outlines and overlay off', async () => {
  const { outlines, onClose, openBlock } = showOverlay();
  await openBlock();
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: 'Blocks' })).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Outlines' }));
  expect(outlines).not.toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Close the overlay' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('panel: links load the versions of the release, others need a signed link', async () => {
  // Its clipboard replaces the one that jsdom lacks.
  const user = userEvent.setup();
  const { openBlock } = showOverlay();
  await openBlock();
  expect(screen.getByRole('link', { name: '1.0.0 · previous' })).toHaveAttribute(
    'href',
    'http://localhost/?boundaries=mf-pricing@1.0.0',
  );
  expect(screen.getByRole('link', { name: 'as visitors' })).toHaveAttribute('aria-current', 'true');
  await user.click(screen.getByText('Another stored version'));
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await screen.findByText('Copied.')).toHaveRole('status');
  expect(await navigator.clipboard.readText()).toBe(
    'npm run -s release -- override mf-pricing --version <version> --site http://localhost',
  );
});

test('panel: a site without a key offers no command for signed links', async () => {
  const { openBlock } = showOverlay({ acceptsLinks: false });
  await openBlock();
  await userEvent.click(screen.getByText('Another stored version'));
  expect(screen.getByText(/accepts no signed links/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Copy' })).not.toBeInTheDocument();
});

test('panel: a version that the release lacks is named', () => {
  showOverlay({ ignored: ['mf-pricing@9.9.9'] });
  expect(screen.getByText(/^mf-pricing@9\.9\.9 is no version of this release/)).toBeVisible();
});

test('panel: while a signed link applies no other version is current, and choosing one ends it', async () => {
  sessionStorage.setItem('developer-override', 'abc.def');
  const { blocks, block, openBlock } = showOverlay();
  await openBlock();
  const option = screen.getByRole('link', { name: 'as visitors' });
  expect(option).toHaveAttribute('aria-current', 'true');
  block.element.setAttribute('data-version', '2.0.0');
  act(() => blocks.add(block, { kind: 'rendered', version: '2.0.0' }));
  expect(option).not.toHaveAttribute('aria-current');
  // jsdom does not navigate.
  option.addEventListener('click', (event) => event.preventDefault());
  option.click();
  expect(sessionStorage.getItem('developer-override')).toBeNull();
});
