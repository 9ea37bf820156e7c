import { fireEvent } from '@testing-library/react';
import { slotAttributes } from '@countersign/contracts/page-markup';
import { rootElementId } from '../page/element-ids.ts';
import { runInline } from '../testing/run-inline.ts';
import { queuedClicksIn, queueClicksScript, replayQueuedClick } from './queued-clicks.ts';
import { hydrationTrigger } from './hydration-trigger.ts';

class Observer {
  static readonly all: Observer[] = [];
  readonly targets: Element[] = [];

  readonly onChange: (entries: readonly { isIntersecting: boolean }[]) => void;

  constructor(onChange: Observer['onChange']) {
    this.onChange = onChange;
    Observer.all.push(this);
  }

  observe(target: Element): void {
    this.targets.push(target);
  }

  disconnect(): void {
    this.targets.length = 0;
  }
}

function addSlot(): Element {
  document.body.innerHTML = `<div id="${rootElementId}"><div ${slotAttributes.remote}="mf-leads">
    <p>Text</p><button type="button"><b>Open</b></button><button type="button">Close</button><form><button>Send</button></form><a href="#a">A</a>
  </div></div>`;
  const slot = document.querySelector(`[${slotAttributes.remote}]`);
  if (!slot) throw new Error('No slot.');
  // jsdom does not implement form submission.
  slot.addEventListener('submit', (event) => event.preventDefault());
  runInline(queueClicksScript);
  return slot;
}

/** Whether the trigger has fired. If it has, `true` takes fewer microtasks than `false` and wins the race. */
async function isNeeded(needed: Promise<void>): Promise<boolean> {
  return Promise.race([needed.then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

beforeEach(() => {
  Observer.all.length = 0;
  Object.assign(globalThis, { IntersectionObserver: Observer });
});

test('hydration trigger: `load` resolves at once', async () => {
  expect(await isNeeded(hydrationTrigger('load', addSlot()))).toBe(true);
});

test('hydration trigger: `visible` waits until an element is near the viewport', async () => {
  const slot = addSlot();
  const needed = hydrationTrigger('visible', slot);
  const [observer] = Observer.all;
  expect(observer?.targets).toEqual([...slot.children]);
  observer?.onChange([{ isIntersecting: false }]);
  expect(await isNeeded(needed)).toBe(false);
  observer?.onChange([{ isIntersecting: false }, { isIntersecting: true }]);
  expect(await isNeeded(needed)).toBe(true);
  expect(observer?.targets).toEqual([]);
});

test('hydration trigger: `idle` waits for an idle callback', async () => {
  let idle = () => {};
  Object.assign(globalThis, { requestIdleCallback: (then: () => void) => (idle = then) });
  const needed = hydrationTrigger('idle', addSlot());
  expect(await isNeeded(needed)).toBe(false);
  idle();
  expect(await isNeeded(needed)).toBe(true);
});

test.each(['pointerDown', 'touchStart', 'focusIn', 'keyDown', 'click'] as const)(
  'hydration trigger: %s in the slot resolves it',
  async (event) => {
    for (const timing of ['visible', 'interaction'] as const) {
      const slot = addSlot();
      const needed = hydrationTrigger(timing, slot);
      expect(await isNeeded(needed)).toBe(false);
      fireEvent[event](slot.querySelector('a') ?? slot);
      expect(await isNeeded(needed)).toBe(true);
    }
  },
);

test.each(['pointerEnter', 'pointerMove', 'scroll'] as const)(
  'hydration trigger: %s does not resolve it',
  async (event) => {
    const slot = addSlot();
    const needed = hydrationTrigger('interaction', slot);
    fireEvent[event](slot.querySelector('a') ?? slot);
    expect(await isNeeded(needed)).toBe(false);
  },
);

test('hydration trigger: earlier focus or clicks resolve it', async () => {
  const focused = addSlot();
  focused.querySelector('a')?.focus();
  expect(await isNeeded(hydrationTrigger('interaction', focused))).toBe(true);

  const pressed = addSlot();
  fireEvent.click(pressed.querySelector('b') ?? pressed);
  expect(await isNeeded(hydrationTrigger('interaction', pressed))).toBe(true);
});

describe('queued clicks', () => {
  const button = (slot: Element, place: number) => {
    const found = slot.querySelectorAll('button')[place];
    if (!found) throw new Error('No such button.');
    return found;
  };

  test('the last one is replayed once', () => {
    const slot = addSlot();
    fireEvent.click(slot.querySelector('b') ?? slot);
    fireEvent.click(button(slot, 1));
    const pressed: string[] = [];
    slot.addEventListener('click', ({ target }) => {
      if (target instanceof Element) pressed.push(target.textContent);
    });
    slot.setAttribute(slotAttributes.version, '1.0.0');
    replayQueuedClick(slot);
    replayQueuedClick(slot);
    expect(pressed).toEqual(['Close']);
  });

  test('links and submit buttons are not queued', () => {
    const slot = addSlot();
    fireEvent.click(slot.querySelector('a') ?? slot);
    fireEvent.click(button(slot, 2));
    expect(queuedClicksIn(slot)).toEqual([]);
  });

  test('a button without type and form is queued', () => {
    const slot = addSlot();
    button(slot, 0).removeAttribute('type');
    fireEvent.click(button(slot, 0));
    expect(queuedClicksIn(slot)).toHaveLength(1);
  });

  test('a hydrated slot queues none', () => {
    const slot = addSlot();
    slot.setAttribute(slotAttributes.version, '1.0.0');
    fireEvent.click(button(slot, 0));
    expect(queuedClicksIn(slot)).toEqual([]);
  });

  test('another version’s matching button is clicked', () => {
    const slot = addSlot();
    fireEvent.click(button(slot, 1));
    slot.innerHTML = '<p>New</p><button type="button">Close</button>';
    const repeated = jest.fn();
    slot.querySelector('button')?.addEventListener('click', repeated);
    replayQueuedClick(slot);
    expect(repeated).toHaveBeenCalledTimes(1);
  });
});
