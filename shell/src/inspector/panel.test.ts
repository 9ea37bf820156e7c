import { screen } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { sampleConfig } from '../testing/sample-config.ts';
import { createPageBlocks } from './page-blocks.ts';
import { createPanel, type PanelContext } from './panel.ts';
import { tokenIn } from './signed-link.ts';

const version = {
  version: '1.1.0',
  globalName: 'mf-pricing@1.1.0',
  entry: { url: '/mf-pricing/1.1.0/entry.js', integrity: `sha384-${'a'.repeat(64)}` },
  exposes: {},
};
const release = {
  schemaVersion: 1 as const,
  releaseId: 'r-0123456789ab',
  shell: { version: '1.0.0', scripts: [], styles: [] },
  remotes: { 'mf-pricing': { live: version, previous: { ...version, version: '1.0.0' } } },
};

/** A token with this content, and a signature that only the shell would check. */
function tokenWith(content: object): string {
  const valid = { site: 'http://localhost', part: 'mf-pricing', expires: Date.now() + 60_000 };
  return `${btoa(JSON.stringify({ ...valid, ...content })).replaceAll('=', '')}.signature`;
}

function showPanel(other: Partial<PanelContext> = {}) {
  document.body.innerHTML =
    '<div data-remote="mf-pricing" data-exposed="./pricing" data-prerendered="1.1.0"></div>';
  globalThis.matchMedia = () => ({ matches: true }) as MediaQueryList;
  const blocks = createPageBlocks(document.body, release);
  const opened: string[] = [];
  const outlines: boolean[] = [];
  const panel = createPanel(
    blocks,
    {
      ...sampleConfig,
      release,
      choice: new Map(),
      ignored: [],
      acceptsLinks: true,
      owners: { '*': ['*'], 'mf-pricing': ['pricing-team'] },
      groupOf: () => 'no canary',
      open: (href) => void opened.push(href),
      show: () => undefined,
      ...other,
    },
    { onOutlines: (isOn) => void outlines.push(isOn), onClose: () => panel.root.remove() },
  );
  document.body.append(panel.root);
  const [block] = blocks.all;
  if (!block) throw new Error('The page has no block.');
  return { blocks, block, panel, opened, outlines };
}

test('panel: a block shows team, version, group and each step', () => {
  const { blocks, block, panel } = showPanel();
  blocks.add(block, { kind: 'requested', version: '1.1.0' }, 100);
  blocks.add(block, { kind: 'ready', version: '1.1.0' }, 350.4);
  blocks.add(block, { kind: 'hydrated', version: '1.1.0' }, 362);
  panel.open(block);
  expect(screen.getByText('pricing-team')).toBeVisible();
  expect(screen.getByText('1.1.0 · live', { selector: 'dd' })).toBeVisible();
  expect(screen.getByText('250 ms to load + 12 ms to hydrate')).toBeVisible();
  expect(screen.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
    '100 ms1.1.0 requested',
    '350 mscode ready',
    '362 ms1.1.0 hydrated in the prerendered markup',
  ]);
  expect(screen.getByText(/1 of 1 blocks run/)).toBeVisible();
});

test('panel: the keyboard folds it away, and switches outlines and overlay off', async () => {
  const { block, panel, outlines } = showPanel();
  panel.open(block);
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: 'Blocks' })).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Outlines' }));
  expect(outlines).toEqual([false]);
  await userEvent.click(screen.getByRole('button', { name: 'Close the overlay' }));
  expect(screen.queryByRole('complementary', { name: 'Boundaries' })).not.toBeInTheDocument();
});

test('panel: links load the versions of the release, others need a signed link', async () => {
  const { block, panel, opened } = showPanel();
  panel.open(block);
  expect(screen.getByRole('link', { name: '1.0.0 · previous' })).toHaveAttribute(
    'href',
    'http://localhost/?boundaries=mf-pricing@1.0.0',
  );
  expect(screen.getByRole('link', { name: 'as visitors' })).toHaveAttribute('aria-current', 'true');
  await userEvent.click(screen.getByText('Another stored version'));
  const field = screen.getByRole('textbox', { name: 'Signed link for mf-pricing' });
  const token = tokenWith({});
  await userEvent.type(field, `http://localhost/?preview&override=${token}{Enter}`);
  expect(opened).toEqual([`http://localhost/?boundaries=&override=${token}`]);
});

test.each([
  ['https://www.example.com/', 'This is no signed link. Paste the whole output of the command.'],
  ['abc.def', 'This is no signed link. Paste the whole output of the command.'],
  [tokenWith({ part: 'mf-leads' }), 'This link is for mf-leads. Open it there, or sign one for mf-pricing.'],
  [tokenWith({ expires: 1 }), 'This link has expired. Sign another one.'],
  [
    tokenWith({ site: 'https://www.example.com' }),
    'This link is for https://www.example.com. Sign one with --site http://localhost.',
  ],
])('panel: a link that the page would ignore, "%s", is an error', async (link, message) => {
  const { block, panel, opened } = showPanel();
  panel.open(block);
  await userEvent.click(screen.getByText('Another stored version'));
  await userEvent.type(screen.getByRole('textbox'), `${link}{Enter}`);
  expect(screen.getByRole('status')).toHaveTextContent(message);
  expect(opened).toEqual([]);
});

test('panel: a site without a key offers no field for signed links', async () => {
  const { block, panel } = showPanel({ acceptsLinks: false });
  panel.open(block);
  await userEvent.click(screen.getByText('Another stored version'));
  expect(screen.getByText(/accepts no signed links/)).toBeVisible();
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
});

test('panel: a version that the release lacks is named', () => {
  showPanel({ ignored: ['mf-pricing@9.9.9'] });
  expect(screen.getByText(/^mf-pricing@9\.9\.9 is no version of this release/)).toBeVisible();
});

test('panel: while a signed link applies no other version is current, and choosing one ends it', () => {
  sessionStorage.setItem('developer-override', 'abc.def');
  const { blocks, block, panel } = showPanel();
  panel.open(block);
  const option = screen.getByRole('link', { name: 'as visitors' });
  expect(option).toHaveAttribute('aria-current', 'true');
  block.element.setAttribute('data-version', '2.0.0');
  blocks.add(block, { kind: 'rendered', version: '2.0.0' });
  expect(option).not.toHaveAttribute('aria-current');
  // jsdom does not navigate.
  option.addEventListener('click', (event) => event.preventDefault());
  option.click();
  expect(sessionStorage.getItem('developer-override')).toBeNull();
});

test.each([
  ['https://www.example.com/?preview&override=abc-_1.def', 'abc-_1.def'],
  [' abc.def\n', 'abc.def'],
  ['javascript:alert(1)', undefined],
  ['https://www.example.com/', undefined],
  ['', undefined],
])('signed link: the token in "%s" is %s', (text, token) => {
  expect(tokenIn(text)).toBe(token);
});
