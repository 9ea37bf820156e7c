import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import type { ThemePreference } from '@countersign/contracts/theme-preference';
import type { Notice, SectionId, ShellApi } from '@countersign/contracts/shell-api';
import { render, screen } from '@testing-library/react';
import { storeOf } from '../testing/store-of.ts';
import { maxCallsPerSecond, maxNoticeLength } from './guard-shell-calls.ts';
import { SlotContent } from './slot-content.tsx';

/** Renders two slots of one remote. Returns their `ShellApi` objects and the reported errors. */
async function renderSlots() {
  const events: unknown[] = [];
  const given: ShellApi[] = [];
  const shell = createShellStub(() => jest.fn());
  const Part = ({ shell: own }: { readonly shell: ShellApi }) => {
    given.push(own);
    return <p>{`Prices for ${own.theme.preference}`}</p>;
  };
  const onInvalidCall = (error: unknown) => void events.push(error);
  const onShown = () => undefined;
  const slots = (services: ShellApi) =>
    [1, 2].map((key) => (
      <SlotContent
        key={key}
        Component={Part}
        shell={storeOf(services)}
        onShown={onShown}
        onInvalidCall={onInvalidCall}
      />
    ));
  const { rerender, unmount } = render(slots(shell));
  await screen.findAllByText('Prices for system');
  const [first, second] = given;
  if (!first || !second) throw new Error('The part was not rendered twice.');
  return {
    shell,
    first,
    second,
    events,
    unmount,
    changeTheme(preference: ThemePreference) {
      rerender(slots({ ...shell, theme: { ...shell.theme, preference } }));
      return given.at(-1);
    },
  };
}

const throws = (): never => {
  throw new Error('No');
};
const hostile = { toString: throws, valueOf: throws, [Symbol.toPrimitive]: throws };
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const throwingGetter = {
  get title(): string {
    return throws();
  },
};

const wrongNotices: readonly [what: string, notice: unknown][] = [
  ['no notice', undefined],
  ['null', null],
  ['a string', 'Saved'],
  ['an object as title', { title: { a: 1 } }],
  ['a React element as title', { title: <b>Saved</b> }],
  ['a thenable as title', { title: { then: throws } }],
  ['an array as title', { title: ['Saved'] }],
  ['a symbol as title', { title: Symbol('Saved') }],
  ['an object whose toString throws as title', { title: hostile }],
  ['a getter that throws', throwingGetter],
  ['a revoked proxy', revoked()],
  ['a proxy whose traps throw', new Proxy({}, { get: throws, has: throws, ownKeys: throws })],
  ['a function as description', { title: 'Saved', description: throws }],
  ['null as description', { title: 'Saved', description: null }],
  ['an unknown variant', { title: 'Saved', variant: 'loud' }],
  ['an object as variant', { title: 'Saved', variant: hostile }],
];

test.each(wrongNotices)(
  'notify with %s shows nothing and is reported against the part',
  async (_, notice) => {
    const { shell, first, events } = await renderSlots();
    expect(first.notify(notice as Notice)).toBeUndefined();
    expect(shell.notify).not.toHaveBeenCalled();
    expect(events).toEqual([expect.any(Error)]);
  },
);

test('shell calls: the report of an invalid call contains no values', async () => {
  const { first, events } = await renderSlots();
  first.notify({ title: { card: '4111' } } as unknown as Notice);
  first.theme.setPreference('sepia' as ThemePreference);
  first.scrollToSection('__proto__' as SectionId);
  expect(events.map(String)).toEqual([
    'WrongCallError: shell.notify: title must be a string, not object.',
    'WrongCallError: shell.theme.setPreference: the preference must be one of light, dark, system, not another string.',
    'WrongCallError: shell.scrollToSection: the id must be one of features, api, pricing, contact, not another string.',
  ]);
});

test.each([throws, hostile, undefined, 'Dark', ''])(
  'setPreference(%#) changes nothing',
  async (preference) => {
    const { shell, first, events } = await renderSlots();
    first.theme.setPreference(preference as ThemePreference);
    expect(shell.theme.setPreference).not.toHaveBeenCalled();
    expect(events).toHaveLength(1);
  },
);

test.each(['', 'root', '__proto__', '#pricing', hostile, 0, ['pricing']])(
  'scrollToSection(%#) goes nowhere',
  async (id) => {
    const { shell, first, events } = await renderSlots();
    first.scrollToSection(id as SectionId);
    expect(shell.scrollToSection).not.toHaveBeenCalled();
    expect(events).toHaveLength(1);
  },
);

test('shell calls: signIn ignores arguments, so parts cannot set the target', async () => {
  const { shell, first, events } = await renderSlots();
  Reflect.apply(first.signIn, undefined, ['javascript:alert(1)']);
  expect(jest.mocked(shell.signIn).mock.calls).toEqual([[]]);
  expect(events).toEqual([]);
});

test('shell calls: a valid call is copied without extra properties', async () => {
  const { shell, first, events } = await renderSlots();
  const notice = { title: 'Saved', description: undefined, variant: 'destructive', dismiss: throws };
  first.notify(notice as unknown as Notice);
  expect(shell.notify).toHaveBeenCalledWith({ title: 'Saved', variant: 'destructive' });
  first.theme.setPreference('dark');
  expect(shell.theme.setPreference).toHaveBeenCalledWith('dark');
  first.scrollToSection('api');
  expect(shell.scrollToSection).toHaveBeenCalledWith('api');
  expect(events).toEqual([]);
});

test('shell calls: long texts are cut', async () => {
  const { shell, first } = await renderSlots();
  first.notify({ title: 'A'.repeat(10_000_000) });
  const [notice] = jest.mocked(shell.notify).mock.calls[0] ?? [];
  expect(notice?.title).toBe(`${'A'.repeat(maxNoticeLength)}…`);
});

test('shell calls: the rate limit applies per part and is reported once', async () => {
  const { shell, first, second, events } = await renderSlots();
  for (let call = 0; call < 10_000; call += 1) first.notify({ title: `Notice ${call}` });
  expect(shell.notify).toHaveBeenCalledTimes(maxCallsPerSecond);
  expect(events).toHaveLength(1);
  second.notify({ title: 'Still heard' });
  expect(shell.notify).toHaveBeenLastCalledWith({ title: 'Still heard' });
});

test('shell calls: an invalid call is reported once per slot', async () => {
  const { first, second, events } = await renderSlots();
  for (const own of [first, first, second]) own.notify('Saved' as unknown as Notice);
  expect(events).toHaveLength(2);
});

test('shell calls: a failing service throws nothing at the part', async () => {
  const { shell, first, events } = await renderSlots();
  jest.mocked(shell.notify).mockImplementation(throws);
  first.notify({ title: 'Saved' });
  expect(events).toEqual([new Error('No')]);
});

test('shell API: a part cannot change its own object or another’s', async () => {
  const { first, second } = await renderSlots();
  expect(first).not.toBe(second);
  for (const [object, key] of [
    [first, 'notify'],
    [first, 'added'],
    [first.theme, 'setPreference'],
    [first.page, 'appHost'],
    [first.notify, 'call'],
  ] as const) {
    expect(Reflect.set(object, key, undefined)).toBe(false);
    expect(Reflect.setPrototypeOf(object, null)).toBe(false);
  }
  expect(Reflect.deleteProperty(first, 'notify')).toBe(false);
  expect(second.page).not.toBe(first.page);
  expect(second.notify).not.toBe(first.notify);
});

test('shell API: functions keep their identity when the theme changes', async () => {
  const { first, second, changeTheme } = await renderSlots();
  const changed = changeTheme('dark');
  expect(changed?.theme.preference).toBe('dark');
  const before = new Set([first.notify, second.notify]);
  expect(before.has(changed?.notify ?? throws)).toBe(true);
});

test('shell API: an unmounted part can still notify', async () => {
  const { shell, first, unmount } = await renderSlots();
  unmount();
  first.notify({ title: 'Success!' });
  expect(shell.notify).toHaveBeenCalledWith({ title: 'Success!' });
});
