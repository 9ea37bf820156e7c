import type { PartEvent } from '@countersign/contracts/part-event';
import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { loadFailureToast, type SlotModule, type SlotProps } from '@countersign/contracts/shell-api';
import { markupHash, slotAttributes } from '@countersign/contracts/page-markup';
import { act, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import type { LoadAttempt } from '../federation/remote-loader.ts';
import { rootElementId } from '../page/element-ids.ts';
import {
  deferredAttempt,
  createLoaderStub,
  resolvingAttempt,
  rejectingAttempt,
} from '../testing/loader-stub.ts';
import { runInline } from '../testing/run-inline.ts';
import { storeOf } from '../testing/store-of.ts';
import { fillSlot } from './fill-slot.ts';
import { queueClicksScript } from './queued-clicks.ts';
import { lateThreshold } from './part-event.ts';

const markup = '<section><p>Prices</p><button type="button">Yearly</button></section>';

const Good = ({ shell }: SlotProps) => {
  const [yearly, setYearly] = useState(false);
  return (
    <section>
      <p>Prices</p>
      <button type="button" onClick={() => setYearly(!yearly)}>
        {yearly ? 'Monthly' : 'Yearly'}
      </button>
      {yearly ? <p>{`For ${shell.theme.preference}`}</p> : null}
    </section>
  );
};
const Older = () => <p>Older prices</p>;

function ThrowsWhileRendering(): never {
  throw new Error('Cannot render');
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

// React warns about updates outside `act`, because slots continue asynchronously.
beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
  document.body.innerHTML = `<div id="${rootElementId}"></div>`;
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  document.body.replaceChildren();
});

interface SlotOptions {
  /** The content of the slot at its start. */
  readonly html?: string;
  /** Markup of the release. */
  readonly shipped?: string;
  /** Version of the markup of the release. */
  readonly prerendered?: string;
}

async function startSlot(
  attempts: readonly LoadAttempt[],
  { html = markup, shipped = markup, prerendered = '1.1.0' }: SlotOptions = {},
) {
  const element = document.createElement('div');
  element.setAttribute(slotAttributes.remote, 'mf-pricing');
  element.setAttribute(slotAttributes.prerendered, prerendered);
  element.setAttribute(slotAttributes.markupHash, markupHash(shipped));
  element.innerHTML = html;
  document.getElementById(rootElementId)?.append(element);
  const events: PartEvent[] = [];
  const shell = createShellStub(() => jest.fn());
  const services = {
    loader: createLoaderStub({ 'mf-pricing/./pricing': attempts }),
    shell: storeOf(shell),
    report: (event: PartEvent) => void events.push(event),
  };
  await act(async () => void fillSlot({ element, remote: 'mf-pricing', exposed: './pricing' }, services));
  return {
    element,
    shown: () => element.getAttribute(slotAttributes.version),
    failures: () =>
      events.flatMap((event) => (event.outcome === 'failed' ? [`${event.version} ${event.cause}`] : [])),
    events,
    toasts: () => jest.mocked(shell.notify).mock.calls.map(([toast]) => toast),
  };
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('slot: the live version hydrates the existing elements', async () => {
  const { attempt, resolve } = deferredAttempt('1.1.0', Good);
  const slot = await startSlot([attempt]);
  const before = slot.element.querySelector('p');
  expect(slot.shown()).toBeNull();
  await act(async () => resolve());
  expect(slot.shown()).toBe('1.1.0');
  expect(slot.element.querySelector('p')).toBe(before);
  await press('Yearly');
  expect(screen.getByText('For system')).toBeInTheDocument();
  expect(slot.failures()).toEqual([]);
});

test('slot: a hydration mismatch of the markup of the release has its own cause', async () => {
  const slot = await startSlot([resolvingAttempt('1.1.0', Older)]);
  expect(slot.element).toHaveTextContent('Older prices');
  expect(slot.failures()).toEqual(['1.1.0 mismatch']);
});

test.each([
  ['a translator', markup.replace('Prices', '<font><font>Preise</font></font>')],
  ['a browser extension', markup.replace('</button>', '</button><div class="icon"></div>')],
  ['a proxy that removes an element', markup.replace(/<button.*button>/, '')],
])('slot: a hydration mismatch caused by %s is not reported', async (_, html) => {
  const slot = await startSlot([resolvingAttempt('1.1.0', Good)], { html });
  expect(slot.element.innerHTML).toBe(markup);
  expect(slot.events.map(({ outcome }) => outcome)).toEqual(['loaded']);
  await press('Yearly');
  expect(screen.getByText('For system')).toBeInTheDocument();
});

test('slot: a hydration mismatch in a translated page is not reported', async () => {
  document.documentElement.className = 'translated-ltr';
  const slot = await startSlot([resolvingAttempt('1.1.0', Older)]);
  document.documentElement.className = '';
  expect(slot.element).toHaveTextContent('Older prices');
  expect(slot.failures()).toEqual([]);
});

test('slot: another version replaces the markup and keeps the input', async () => {
  const form = '<form><input name="email" /></form>';
  const Form = () => (
    <form>
      <p>New</p>
      <input name="email" />
    </form>
  );
  const { attempt, resolve } = deferredAttempt('1.2.0', Form);
  const slot = await startSlot([attempt], { html: form });
  const field = screen.getByRole('textbox');
  await userEvent.type(field, 'jo@example.com');
  await act(async () => resolve());
  expect(screen.getByText('New')).toBeInTheDocument();
  expect(screen.getByRole('textbox')).not.toBe(field);
  expect(screen.getByRole('textbox')).toHaveValue('jo@example.com');
  expect(screen.getByRole('textbox')).toHaveFocus();
  expect(slot.failures()).toEqual([]);
});

test('slot: without markup, the version renders when it is loaded', async () => {
  const slot = await startSlot([resolvingAttempt('1.1.0', Good)], { html: '', prerendered: '' });
  expect(slot.element).toHaveTextContent('Prices');
  expect(slot.shown()).toBe('1.1.0');
});

test.each([
  ['cannot be loaded', rejectingAttempt('1.1.0'), 'load'],
  ['throws while it hydrates', resolvingAttempt('1.1.0', ThrowsWhileRendering), 'render'],
  ['throws twice in one commit', resolvingAttempt('1.1.0', ThrowsTwiceInOneCommit), 'render'],
])('the previous version is shown when the live one %s, reported once', async (_, live, cause) => {
  const slot = await startSlot([live, resolvingAttempt('1.0.0', Older)]);
  expect(slot.element).toHaveTextContent(/^Older prices$/);
  expect(slot.shown()).toBe('1.0.0');
  expect(slot.failures()).toEqual([`1.1.0 ${cause}`]);
});

test('slot: markup and input are restored if the last version throws', async () => {
  const html = '<form><input name="email"><button type="button">Break</button></form>';
  const Form = () => {
    const [broken, setBroken] = useState(false);
    if (broken) throw new Error('No');
    return (
      <form>
        <input name="email" />
        <button type="button" onClick={() => setBroken(true)}>
          Break
        </button>
      </form>
    );
  };
  const slot = await startSlot([resolvingAttempt('1.1.0', Form)], { html });
  await userEvent.type(screen.getByRole('textbox'), 'jo@example.com');
  await press('Break');
  expect(slot.shown()).toBeNull();
  expect(screen.getByRole('textbox')).toHaveValue('jo@example.com');
  expect(slot.element.innerHTML).toBe(html);
  expect(slot.element).toHaveAttribute(slotAttributes.plain);
});

test('slot: without a version in the release, the slot is unchanged', async () => {
  const slot = await startSlot([]);
  expect(slot.element.innerHTML).toBe(markup);
  expect(slot.events).toEqual([]);
});

test('slot: a late version is reported, and the markup stays until it loads', async () => {
  jest.useFakeTimers();
  const { attempt, resolve } = deferredAttempt('1.1.0', Good);
  const slot = await startSlot([attempt, resolvingAttempt('1.0.0', Older)]);
  await act(() => jest.advanceTimersByTimeAsync(lateThreshold - 1));
  expect(slot.events).toEqual([]);
  await act(() => jest.advanceTimersByTimeAsync(1_000_000));
  expect(slot.element.innerHTML).toBe(markup);
  await act(async () => resolve());
  expect(slot.shown()).toBe('1.1.0');
  expect(slot.events.map(({ outcome }) => outcome)).toEqual(['late', 'loaded']);
});

describe('a slot of which no version can be loaded', () => {
  const isPlain = ({ element }: { readonly element: Element }) => element.hasAttribute(slotAttributes.plain);

  /** The version fails to load this many times. */
  function startFailingSlot(failures: number) {
    jest.useFakeTimers();
    const load = jest.fn<Promise<SlotModule>, []>().mockResolvedValue({ default: Good });
    for (let count = 0; count < failures; count += 1) load.mockRejectedValueOnce(new Error('Lost'));
    return startSlot([
      { version: '1.1.0', hydration: 'load', preload: () => undefined, load },
      resolvingAttempt('1.0.0', ThrowsWhileRendering),
    ]);
  }
  const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
  const pressIn = (slot: { readonly element: Element }) =>
    act(async () => void fireEvent.click(slot.element.querySelector('button') as Element));

  test('starts again after ten seconds, without the version that threw', async () => {
    const slot = await startFailingSlot(1);
    await pass(9_999);
    expect(slot.shown()).toBeNull();
    expect(isPlain(slot)).toBe(false);
    await pass(1);
    expect(slot.shown()).toBe('1.1.0');
    expect(slot.failures()).toEqual(['1.1.0 load', '1.0.0 render']);
  });

  test('is plain after the second round, and starts again at each press, or when online', async () => {
    const slot = await startFailingSlot(3);
    await pass(10_000);
    expect(isPlain(slot)).toBe(true);
    await pass(1_000_000);
    await pressIn(slot);
    expect(isPlain(slot)).toBe(true);
    await act(async () => void dispatchEvent(new Event('online')));
    expect(slot.shown()).toBe('1.1.0');
    expect(isPlain(slot)).toBe(false);
  });

  test('tells a visitor whose press it cannot answer, and forgets the press', async () => {
    runInline(queueClicksScript);
    const slot = await startFailingSlot(2);
    await pressIn(slot);
    expect(slot.toasts()).toEqual([loadFailureToast]);
    await act(async () => void dispatchEvent(new Event('online')));
    // The press is not replayed: the button would be named "Monthly".
    expect(slot.element).toHaveTextContent('PricesYearly');
  });
});

test('slot: with the timing `idle`, the code is requested before the browser is idle', async () => {
  const preload = jest.fn();
  const load = jest.fn<Promise<SlotModule>, []>().mockResolvedValue({ default: Good });
  const slot = await startSlot([{ version: '1.1.0', hydration: 'idle', preload, load }]);
  expect(preload).toHaveBeenCalledTimes(1);
  expect(load).not.toHaveBeenCalled();
  fireEvent.click(slot.element);
  await act(async () => undefined);
  expect(slot.shown()).toBe('1.1.0');
});
