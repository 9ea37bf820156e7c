import { render, screen } from '@testing-library/react';
import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import type { PartVersion } from '../slot/part-of.ts';
import { createLoaderStub, loads } from '../testing/loader-stub.ts';
import { renderRecoveringRoot } from './recovering-root.tsx';
import { RegionBoundary } from './region-boundary.tsx';

// `act` would throw the errors that empty the page.
beforeEach(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false }));

const canary: PartVersion = { remote: 'mf-pricing', version: '1.2.0' };

/** An error whose stack names code of a part, as it does in a page. */
function errorOf({ remote, version }: PartVersion): Error {
  const stack = `Error: No\n    at b (https://www.example.com/${remote}/${version}/exposed.js:1:20)`;
  return Object.assign(new Error('No'), { stack });
}

function Throws({ error }: { readonly error: unknown }): ReactNode {
  throw error;
}

const emptied: [error: unknown, blamed: readonly PartVersion[]][] = [];

/** Shows a canary that empties the page. No boundary stands between it and the root. */
function startPage(Canary: () => ReactNode, Live: () => ReactNode = () => null, canaries = [canary]) {
  emptied.length = 0;
  const element = document.createElement('div');
  document.body.replaceChildren(element);
  const loader = createLoaderStub({
    'mf-pricing/./pricing': [loads('1.2.0', Canary), loads('1.1.0', Live)],
  });
  renderRecoveringRoot(element, {
    loader,
    canaries,
    onEmptied: (error, blamed) => void emptied.push([error, blamed]),
    render: (from) => <Page loader={from} />,
  });
  return element;
}

function Page({ loader }: { readonly loader: RemoteLoader }) {
  const [candidate] = loader.candidates('mf-pricing', './pricing');
  const [Part, setPart] = useState<ComponentType>();
  useEffect(() => {
    void candidate?.load().then((module) => setPart(() => module.default as ComponentType));
  }, [candidate]);
  return (
    <main>
      <p>Version {candidate?.version ?? 'none'}</p>
      {Part ? <Part /> : null}
    </main>
  );
}

test('an error in code of a part: the page is rendered without that version, which is blamed', async () => {
  const error = errorOf(canary);
  startPage(() => <Throws error={error} />, undefined, []);
  expect(await screen.findByText('Version 1.1.0')).toBeInTheDocument();
  expect(emptied).toEqual([[error, [canary]]]);
});

test('an error that nothing is known of is blamed on the canary of this visitor', async () => {
  startPage(() => <Throws error="just a word" />);
  expect(await screen.findByText('Version 1.1.0')).toBeInTheDocument();
  expect(emptied).toEqual([['just a word', [canary]]]);
});

test('a page that a script empties is rendered again', async () => {
  const element = startPage(() => null);
  await screen.findByText('Version 1.2.0');
  element.replaceChildren();
  expect(await screen.findByText('Version 1.1.0')).toBeInTheDocument();
  expect(emptied).toEqual([[new Error('The page was emptied by a script.'), [canary]]]);
});

test('a part that removes elements of React and throws does not take the page along', async () => {
  const Attacker = () => {
    const [broken, setBroken] = useState(false);
    return broken ? <Throws error={new Error('No')} /> : <button onClick={() => setBroken(true)}>Buy</button>;
  };
  startPage(Attacker);
  const button = await screen.findByRole('button', { name: 'Buy' });
  button.addEventListener('click', () => document.querySelector('main')?.replaceChildren());
  button.click();
  expect(await screen.findByText('Version 1.1.0')).toBeInTheDocument();
  expect(emptied).toHaveLength(1);
});

test('with no version to blame, the page is tried once more, then without parts, then it says so', async () => {
  const Attacker = () => <Throws error={new Error('No')} />;
  const element = startPage(Attacker, Attacker, []);
  expect(await screen.findByText('Version none')).toBeInTheDocument();
  expect(emptied.map(([, blamed]) => blamed)).toEqual([[], []]);

  element.replaceChildren();
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'This page cannot be shown. Reload it to try again.',
  );
});

test('a region that fails is empty, and its neighbours stay', () => {
  const errors: unknown[] = [];
  const region = (children: ReactNode) => (
    <RegionBoundary onError={(error) => errors.push(error)}>{children}</RegionBoundary>
  );
  const { container } = render(
    <>
      {region(<Throws error="broken" />)}
      {region(<p>Whole</p>)}
    </>,
    { onCaughtError: () => undefined },
  );
  expect(container).toHaveTextContent('Whole');
  expect(errors).toEqual(['broken']);
});
