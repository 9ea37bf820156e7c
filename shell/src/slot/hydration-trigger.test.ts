import { fireEvent } from '@testing-library/react';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import { rootElementId } from '../document/element-ids.ts';
import { runInline } from '../testing/run-inline.ts';
import { earlyPressesIn, earlyPressesScript, replayEarlyPress } from './early-presses.ts';
import { whenNeeded } from './when-needed.ts';

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
  // jsdom sends no form.
  slot.addEventListener('submit', (event) => event.preventDefault());
  runInline(earlyPressesScript);
  return slot;
}

async function isNeeded(needed: Promise<void>): Promise<boolean> {
  return Promise.race([needed.then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

beforeEach(() => {
  Observer.all.length = 0;
  Object.assign(globalThis, { IntersectionObserver: Observer });
});

test('a slot that is needed at once does not wait', async () => {
  expect(await isNeeded(whenNeeded('load', addSlot()))).toBe(true);
});

test('a slot that is needed when it is visible waits until one of its elements comes near', async () => {
  const slot = addSlot();
  const needed = whenNeeded('visible', slot);
  const [observer] = Observer.all;
  expect(observer?.targets).toEqual([...slot.children]);
  observer?.onChange([{ isIntersecting: false }]);
  expect(await isNeeded(needed)).toBe(false);
  observer?.onChange([{ isIntersecting: false }, { isIntersecting: true }]);
  expect(await isNeeded(needed)).toBe(true);
  expect(observer?.targets).toEqual([]);
});

test('a slot that is needed when the browser is idle waits for that', async () => {
  let idle = () => {};
  Object.assign(globalThis, { requestIdleCallback: (then: () => void) => (idle = then) });
  const needed = whenNeeded('idle', addSlot());
  expect(await isNeeded(needed)).toBe(false);
  idle();
  expect(await isNeeded(needed)).toBe(true);
});

test.each(['pointerDown', 'touchStart', 'focusIn', 'keyDown', 'click'] as const)(
  'no slot waits for its timing after a %s in it',
  async (event) => {
    for (const timing of ['visible', 'interaction'] as const) {
      const slot = addSlot();
      const needed = whenNeeded(timing, slot);
      expect(await isNeeded(needed)).toBe(false);
      fireEvent[event](slot.querySelector('a') ?? slot);
      expect(await isNeeded(needed)).toBe(true);
    }
  },
);

test.each(['pointerEnter', 'pointerMove', 'scroll'] as const)('a %s is no use of a slot', async (event) => {
  const slot = addSlot();
  const needed = whenNeeded('interaction', slot);
  fireEvent[event](slot.querySelector('a') ?? slot);
  expect(await isNeeded(needed)).toBe(false);
});

test('a slot that has the focus, or was pressed before the shell was there, does not wait', async () => {
  const focused = addSlot();
  focused.querySelector('a')?.focus();
  expect(await isNeeded(whenNeeded('interaction', focused))).toBe(true);

  const pressed = addSlot();
  fireEvent.click(pressed.querySelector('b') ?? pressed);
  expect(await isNeeded(whenNeeded('interaction', pressed))).toBe(true);
});

describe('presses before the code is there', () => {
  const button = (slot: Element, place: number) => {
    const found = slot.querySelectorAll('button')[place];
    if (!found) throw new Error('No such button.');
    return found;
  };

  test('the last one is repeated, once', () => {
    const slot = addSlot();
    fireEvent.click(slot.querySelector('b') ?? slot);
    fireEvent.click(button(slot, 1));
    const pressed: string[] = [];
    slot.addEventListener('click', ({ target }) => {
      if (target instanceof Element) pressed.push(target.textContent);
    });
    slot.setAttribute(slotAttributes.version, '1.0.0');
    replayEarlyPress(slot, earlyPressesIn(slot));
    replayEarlyPress(slot, earlyPressesIn(slot));
    expect(pressed).toEqual(['Close']);
  });

  test('links and submit buttons work without code, and are not repeated', () => {
    const slot = addSlot();
    fireEvent.click(slot.querySelector('a') ?? slot);
    fireEvent.click(button(slot, 2));
    expect(earlyPressesIn(slot)).toEqual([]);
  });

  test('a button without a type and a form is repeated as well', () => {
    const slot = addSlot();
    button(slot, 0).removeAttribute('type');
    fireEvent.click(button(slot, 0));
    expect(earlyPressesIn(slot)).toHaveLength(1);
  });

  test('one that reaches React while it hydrates is left to React', () => {
    const slot = addSlot();
    const pressed = jest.fn();
    button(slot, 0).addEventListener('click', pressed);
    slot.addEventListener('click', () => replayEarlyPress(slot, earlyPressesIn(slot)), { capture: true });
    fireEvent.click(button(slot, 0));
    expect(pressed).toHaveBeenCalledTimes(1);
  });

  test('a slot whose code is there remembers none', () => {
    const slot = addSlot();
    slot.setAttribute(slotAttributes.version, '1.0.0');
    fireEvent.click(button(slot, 0));
    expect(earlyPressesIn(slot)).toEqual([]);
  });

  test('when another version has taken the place of the markup, its button of the same name is pressed', () => {
    const slot = addSlot();
    const old = button(slot, 1);
    fireEvent.click(old);
    const pressed = earlyPressesIn(slot);
    slot.innerHTML = '<p>New</p><button type="button">Close</button>';
    const repeated = jest.fn();
    slot.querySelector('button')?.addEventListener('click', repeated);
    replayEarlyPress(slot, pressed);
    expect(repeated).toHaveBeenCalledTimes(1);
  });
});
