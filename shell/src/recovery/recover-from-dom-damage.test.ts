import { slotAttributes } from '@countersign/contracts/page-markup';
import { waitFor } from '@testing-library/react';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import type { PartVersion } from '../slot/part-in-stack.ts';
import { createLoaderStub, resolvingAttempt } from '../testing/loader-stub.ts';
import { recoverFromDomDamage } from './recover-from-dom-damage.ts';

const canary: PartVersion = { remote: 'mf-pricing', version: '1.2.0' };
const slot = (remote: string, attribute = '') =>
  `<div ${attribute} ${slotAttributes.remote}="${remote}"><p>${remote}</p></div>`;

/** Starts a page whose only part with code is mf-pricing. It is filled with its first version. */
function startPage(canaries: readonly PartVersion[] = [canary], attribute = '') {
  document.body.innerHTML = `<div id="root"><i>Skip</i>${slot('mf-header')}<main>${slot('mf-pricing', attribute)}</main></div>`;
  const root = document.getElementById('root');
  if (!root) throw new Error('No root.');
  const blamed: (readonly PartVersion[])[] = [];
  const disposed = jest.fn();
  const loader = createLoaderStub({
    'mf-pricing/./pricing': [resolvingAttempt('1.2.0', () => null), resolvingAttempt('1.1.0', () => null)],
  });
  const fill = (from: RemoteLoader) => {
    const [first] = from.attempts('mf-pricing', './pricing');
    root.querySelector('main div')?.setAttribute(slotAttributes.version, first?.version ?? 'none');
    return disposed;
  };
  recoverFromDomDamage(root, { loader, canaries, fill, onDamage: (_, parts) => void blamed.push(parts) });
  const shown = () => root.querySelector('main div')?.getAttribute(slotAttributes.version);
  return { root, shown, blamed, disposed };
}

const attacks: Readonly<Record<string, (root: Element) => void>> = {
  'empties the root element': (root) => root.replaceChildren(),
  'removes the root element': (root) => root.remove(),
  'empties the document': () => document.body.replaceChildren(),
  'empties the main landmark': (root) => root.querySelector('main')?.replaceChildren(),
  'removes one slot': (root) => root.querySelector('div')?.remove(),
};

test.each(Object.entries(attacks))(
  'a script that %s: the page comes back without the canary',
  async (_, attack) => {
    const { root, shown, blamed, disposed } = startPage();
    expect(shown()).toBe('1.2.0');
    attack(root);
    await waitFor(() => expect(shown()).toBe('1.1.0'));
    expect(root.isConnected).toBe(true);
    expect(root).toHaveTextContent('Skipmf-headermf-pricing');
    expect(blamed).toEqual([[canary]]);
    expect(disposed).toHaveBeenCalledTimes(1);
  },
);

test('a page that was plain until its late shell started is not plain any more', () => {
  document.documentElement.setAttribute(slotAttributes.plain, '');
  startPage();
  expect(document.documentElement).not.toHaveAttribute(slotAttributes.plain);
});

test('DOM recovery: changes inside a slot or outside the page are ignored', async () => {
  const { root, shown, blamed } = startPage();
  root.querySelector('main div')?.replaceChildren();
  document.body.append(document.createElement('aside'));
  await Promise.resolve();
  expect(blamed).toEqual([]);
  expect(shown()).toBe('1.2.0');
});

test('DOM recovery: without a canary, the page is refilled once, then stays plain HTML', async () => {
  const { root, shown, blamed } = startPage([]);
  root.replaceChildren();
  await waitFor(() => expect(shown()).toBe('1.2.0'));
  root.replaceChildren();
  await waitFor(() => expect(root).toHaveTextContent('Skipmf-headermf-pricing'));
  expect(shown()).toBeNull();
  expect(document.documentElement).toHaveAttribute(slotAttributes.plain);
  expect(blamed).toEqual([[], []]);
});

test('DOM recovery: a page copied while the splash ended comes back usable', async () => {
  const { root } = startPage([canary], 'inert');
  root.querySelector('main')?.replaceChildren();
  await waitFor(() => expect(root.querySelector('main div')).not.toBeNull());
  expect(root.querySelector('main div')).not.toHaveAttribute('inert');
});
