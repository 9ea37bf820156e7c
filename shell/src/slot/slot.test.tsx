import type { SlotModule, SlotProps } from '@countersign/contracts/shell-api';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode, use, useEffect, useState } from 'react';
import type { Candidate } from '../federation/remote-loader.ts';
import { splashDuration } from '../splash/splash.ts';
import { arrivesLater, createLoaderStub, loads, rejects } from '../testing/loader-stub.ts';
import { createShellStub } from '../testing/shell-stub.ts';
import type { PartEvent } from './part-event.ts';
import { Slot } from './slot.tsx';
import type { SlotDefinition } from './slot-definition.ts';
import { slotTimeLimit } from './use-slot-version.ts';

const Good = () => <p>Prices</p>;
const Older = () => <p>Older prices</p>;

function ThrowsWhileRendering(): never {
  throw new Error('Cannot render');
}

function ThrowsAfterClick() {
  const [broken, setBroken] = useState(false);
  if (broken) throw new Error('Cannot go on');
  return <button onClick={() => setBroken(true)}>Yearly</button>;
}

function ThrowsInEffect(): null {
  useEffect(() => {
    throw new Error('Cannot start');
  }, []);
  return null;
}

const ThrowsTwiceInOneCommit = () => (
  <>
    <ThrowsInEffect />
    <ThrowsInEffect />
  </>
);

const definition: SlotDefinition = {
  remote: 'mf-pricing',
  exposed: './pricing',
  Fallback: ({ shell }: SlotProps) => <button onClick={shell.signIn}>Prices after sign in</button>,
};

let reported: jest.SpyInstance<void, unknown[]>;
beforeEach(() => void (reported = jest.spyOn(console, 'error').mockImplementation(() => {})));
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function renderSlot(...candidates: readonly Candidate[]) {
  const shell = createShellStub();
  const loader = createLoaderStub({ 'mf-pricing/./pricing': candidates });
  const { container } = render(<Slot definition={definition} loader={loader} shell={shell} />, {
    onCaughtError: () => {},
  });
  return { shell, slot: () => container.firstElementChild };
}

test('the live version is shown, and the slot says whose work it is', async () => {
  const { slot } = renderSlot(loads('1.1.0', Good), loads('1.0.0', Older));
  expect(await screen.findByText('Prices')).toBeInTheDocument();
  expect(slot()).toHaveAttribute('data-remote', 'mf-pricing');
  expect(slot()).toHaveAttribute('data-version', '1.1.0');
  expect(reported).not.toHaveBeenCalled();
});

test('while nothing has arrived the slot is busy and already names its remote', async () => {
  const { candidate, arrive } = arrivesLater('1.1.0', Good);
  const { slot } = renderSlot(candidate);
  expect(slot()).toHaveAttribute('aria-busy', 'true');
  expect(slot()).toHaveAttribute('data-remote', 'mf-pricing');
  expect(slot()).not.toHaveAttribute('data-version');

  arrive();
  expect(await screen.findByText('Prices')).toBeInTheDocument();
  expect(slot()).not.toHaveAttribute('aria-busy');
});

test('a remote gets the services of the page', async () => {
  const { shell } = renderSlot(
    loads('1.1.0', ({ shell: { signIn } }) => <button onClick={signIn}>Sign In</button>),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Sign In' }));
  expect(shell.signIn).toHaveBeenCalledTimes(1);
});

test.each([
  ['cannot be loaded', rejects('1.1.0')],
  ['throws while it renders', loads('1.1.0', ThrowsWhileRendering)],
])('the previous version is shown when the live one %s, and the failure is reported', async (_, live) => {
  const { slot } = renderSlot(live, loads('1.0.0', Older));
  expect(await screen.findByText('Older prices')).toBeInTheDocument();
  expect(slot()).toHaveAttribute('data-version', '1.0.0');
  expect(reported.mock.calls).toEqual([['mf-pricing@1.1.0 ./pricing failed.', expect.any(Error)]]);
});

test('the previous version takes over when the live one throws after a click', async () => {
  const { slot } = renderSlot(loads('1.1.0', ThrowsAfterClick), loads('1.0.0', Older));
  await userEvent.click(await screen.findByRole('button', { name: 'Yearly' }));
  expect(await screen.findByText('Older prices')).toBeInTheDocument();
  expect(slot()).toHaveAttribute('data-version', '1.0.0');
  expect(reported.mock.calls).toEqual([['mf-pricing@1.1.0 ./pricing failed.', new Error('Cannot go on')]]);
});

test('two errors in one commit are one failure: the previous version is not skipped', async () => {
  const { slot } = renderSlot(loads('1.1.0', ThrowsTwiceInOneCommit), loads('1.0.0', Older));
  expect(await screen.findByText('Older prices')).toBeInTheDocument();
  expect(slot()).toHaveAttribute('data-version', '1.0.0');
  expect(reported.mock.calls).toEqual([['mf-pricing@1.1.0 ./pricing failed.', expect.any(Error)]]);
});

test('two slots of one remote give up one version each, however many errors there were', async () => {
  const loader = createLoaderStub({
    'mf-pricing/./pricing': [loads('1.1.0', ThrowsTwiceInOneCommit), loads('1.0.0', Older)],
  });
  const shell = createShellStub();
  const { container } = render(
    <StrictMode>
      <Slot definition={definition} loader={loader} shell={shell} />
      <Slot definition={definition} loader={loader} shell={shell} />
    </StrictMode>,
    { onCaughtError: () => {} },
  );
  expect(await screen.findAllByText('Older prices')).toHaveLength(2);
  const slots = [...container.querySelectorAll('[data-remote]')];
  expect(slots.map((slot) => slot.getAttribute('data-version'))).toEqual(['1.0.0', '1.0.0']);
});

test('the previous version is shown when the live one takes too long, and stays when that arrives late', async () => {
  jest.useFakeTimers();
  const { candidate, arrive } = arrivesLater('1.1.0', Good);
  const { slot } = renderSlot(candidate, loads('1.0.0', Older));

  await act(() => jest.advanceTimersByTimeAsync(splashDuration + slotTimeLimit - 1));
  expect(slot()).toHaveAttribute('aria-busy', 'true');
  await act(() => jest.advanceTimersByTimeAsync(1));
  expect(screen.getByText('Older prices')).toBeInTheDocument();
  expect(reported.mock.calls).toEqual([
    ['mf-pricing@1.1.0 ./pricing failed.', new Error('Not loaded within 3500 ms.')],
  ]);

  await act(async () => arrive());
  expect(slot()).toHaveAttribute('data-version', '1.0.0');
  expect(screen.queryByText('Prices')).not.toBeInTheDocument();
});

test('while the version after one that hung is on its way, the fallback stands in for it', async () => {
  jest.useFakeTimers();
  const { candidate, arrive } = arrivesLater('1.0.0', Older);
  const { slot } = renderSlot(arrivesLater('1.1.0', Good).candidate, candidate);
  await act(() => jest.advanceTimersByTimeAsync(splashDuration + slotTimeLimit));
  expect(screen.getByRole('button', { name: 'Prices after sign in' })).toBeInTheDocument();

  await act(async () => arrive());
  expect(screen.getByText('Older prices')).toBeInTheDocument();
  expect(slot()).toHaveAttribute('data-version', '1.0.0');
});

test('a version that waits for something of its own for too long is given up like one that hangs', async () => {
  jest.useFakeTimers();
  const never = new Promise<never>(() => {});
  const Waits = () => use(never);
  const { slot } = renderSlot(loads('1.1.0', Waits), loads('1.0.0', Older));
  await act(async () => {});
  await act(() => jest.advanceTimersByTimeAsync(splashDuration + slotTimeLimit - 1));
  expect(slot()).toHaveAttribute('data-version', '1.1.0');
  await act(() => jest.advanceTimersByTimeAsync(1));
  expect(screen.getByText('Older prices')).toBeInTheDocument();
  expect(slot()).toHaveAttribute('data-version', '1.0.0');
});

test('the place of a part that failed keeps its height until the next version is there', async () => {
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 100, 0, 640));
  const { candidate, arrive } = arrivesLater('1.0.0', Older);
  const { slot } = renderSlot(loads('1.1.0', ThrowsAfterClick), candidate);
  await userEvent.click(await screen.findByRole('button', { name: 'Yearly' }));
  expect(slot()).toHaveAttribute('aria-busy', 'true');
  expect(slot()?.firstElementChild).toHaveStyle({ minHeight: '640px' });

  await act(async () => arrive());
  expect(slot()?.firstElementChild).toHaveTextContent('Older prices');
});

test('what becomes of each version is reported with its cause', async () => {
  const events: PartEvent[] = [];
  const loader = createLoaderStub({
    'mf-pricing/./pricing': [rejects('1.2.0'), loads('1.1.0', ThrowsWhileRendering), loads('1.0.0', Older)],
  });
  render(
    <Slot
      definition={definition}
      loader={loader}
      shell={createShellStub()}
      report={(event) => events.push(event)}
    />,
    { onCaughtError: () => {} },
  );
  await screen.findByText('Older prices');
  const place = { remote: 'mf-pricing', exposed: './pricing' };
  expect(events).toEqual([
    { ...place, version: '1.2.0', outcome: 'failed', cause: 'load', error: expect.any(Error) },
    { ...place, version: '1.1.0', outcome: 'loaded', milliseconds: expect.any(Number) },
    { ...place, version: '1.1.0', outcome: 'failed', cause: 'render', error: expect.any(Error) },
    { ...place, version: '1.0.0', outcome: 'loaded', milliseconds: expect.any(Number) },
  ]);
});

test('after the splash a slot waits only for its own time', async () => {
  jest.useFakeTimers();
  jest.advanceTimersByTime(splashDuration + 10_000);
  renderSlot(arrivesLater('1.1.0', Good).candidate, loads('1.0.0', Older));
  await act(() => jest.advanceTimersByTimeAsync(slotTimeLimit - 1));
  expect(screen.queryByText('Older prices')).not.toBeInTheDocument();
  await act(() => jest.advanceTimersByTimeAsync(1));
  expect(screen.getByText('Older prices')).toBeInTheDocument();
});

test('the fallback is shown, and works, when every version fails', async () => {
  const { shell, slot } = renderSlot(rejects('1.1.0'), loads('1.0.0', ThrowsWhileRendering));
  await userEvent.click(await screen.findByRole('button', { name: 'Prices after sign in' }));
  expect(shell.signIn).toHaveBeenCalledTimes(1);
  expect(slot()).toHaveAttribute('data-remote', 'mf-pricing');
  expect(slot()).toHaveAttribute('data-version', 'fallback');
  expect(reported.mock.calls.map(([sentence]) => sentence)).toEqual([
    'mf-pricing@1.1.0 ./pricing failed.',
    'mf-pricing@1.0.0 ./pricing failed.',
  ]);
});

test('the fallback is shown at once when the release names no version', () => {
  const { slot } = renderSlot();
  expect(screen.getByRole('button', { name: 'Prices after sign in' })).toBeInTheDocument();
  expect(slot()).toHaveAttribute('data-version', 'fallback');
  expect(reported).not.toHaveBeenCalled();
});

describe('a slot whose live version fails while the browser is offline', () => {
  const goOnline = () => {
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    window.dispatchEvent(new Event('online'));
  };
  beforeEach(() => void jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false));

  test('shows the fallback, then the same version, and reports no failure', async () => {
    const load = jest.fn<Promise<SlotModule>, []>().mockRejectedValueOnce(new Error('Offline'));
    load.mockResolvedValue({ default: Good });
    const { slot } = renderSlot({ version: '1.1.0', load }, loads('1.0.0', Older));
    expect(await screen.findByRole('button', { name: 'Prices after sign in' })).toBeInTheDocument();
    expect(slot()).toHaveAttribute('data-version', 'fallback');
    expect(load).toHaveBeenCalledTimes(1);

    act(goOnline);
    expect(await screen.findByText('Prices')).toBeInTheDocument();
    expect(slot()).toHaveAttribute('data-version', '1.1.0');
    expect(reported).not.toHaveBeenCalled();
  });

  test('does not take the time that it was offline for a delay of the version', async () => {
    jest.useFakeTimers();
    const { candidate, arrive } = arrivesLater('1.1.0', Good);
    renderSlot(candidate, loads('1.0.0', Older));
    await act(() => jest.advanceTimersByTimeAsync(splashDuration + slotTimeLimit));
    expect(screen.getByRole('button', { name: 'Prices after sign in' })).toBeInTheDocument();
    await act(() => jest.advanceTimersByTimeAsync(1_000_000));
    act(goOnline);
    await act(async () => arrive());
    expect(screen.getByText('Prices')).toBeInTheDocument();
    expect(reported).not.toHaveBeenCalled();
  });

  test('tries the next version when it fails online as well', async () => {
    const { slot } = renderSlot(loads('1.1.0', ThrowsWhileRendering), loads('1.0.0', Older));
    expect(await screen.findByRole('button', { name: 'Prices after sign in' })).toBeInTheDocument();
    act(goOnline);
    expect(await screen.findByText('Older prices')).toBeInTheDocument();
    expect(slot()).toHaveAttribute('data-version', '1.0.0');
    expect(reported).toHaveBeenCalledTimes(1);
  });
});

test('a slot that could load no version begins again when the browser is online', async () => {
  const load = jest.fn<Promise<SlotModule>, []>().mockRejectedValueOnce(new Error('Network changed'));
  load.mockResolvedValue({ default: Good });
  const { slot } = renderSlot({ version: '1.1.0', load }, rejects('1.0.0'));
  expect(await screen.findByRole('button', { name: 'Prices after sign in' })).toBeInTheDocument();
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('Prices')).toBeInTheDocument();
  expect(slot()).toHaveAttribute('data-version', '1.1.0');
});

test('a version that threw is not tried again when the browser is online', async () => {
  const live = loads('1.1.0', ThrowsWhileRendering);
  const { slot } = renderSlot(live, rejects('1.0.0'));
  expect(await screen.findByRole('button', { name: 'Prices after sign in' })).toBeInTheDocument();
  const failures = reported.mock.calls.length;
  act(() => void window.dispatchEvent(new Event('online')));
  await act(async () => {});
  expect(slot()).toHaveAttribute('data-version', 'fallback');
  expect(reported.mock.calls.slice(failures).map(([message]) => message)).toEqual([
    'mf-pricing@1.0.0 ./pricing failed.',
  ]);
});

test('a failing slot leaves the others and what was typed there untouched', async () => {
  const form: SlotDefinition = {
    remote: 'mf-leads',
    exposed: './call-to-action',
    Fallback: () => <p>No form</p>,
  };
  const loader = createLoaderStub({
    'mf-pricing/./pricing': [loads('1.1.0', ThrowsAfterClick)],
    'mf-leads/./call-to-action': [loads('2.0.0', () => <input aria-label="Name" />)],
  });
  const shell = createShellStub();
  render(
    <>
      <Slot definition={definition} loader={loader} shell={shell} />
      <Slot definition={form} loader={loader} shell={shell} />
    </>,
    { onCaughtError: () => {} },
  );
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await userEvent.type(name, 'Jo');
  await userEvent.click(screen.getByRole('button', { name: 'Yearly' }));

  expect(await screen.findByRole('button', { name: 'Prices after sign in' })).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Name' })).toBe(name);
  expect(name).toHaveValue('Jo');
});
