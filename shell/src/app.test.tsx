import type { ThemePreference } from '@countersign/contracts/theme-preference';
import type { Notice, ShellApi, SlotProps } from '@countersign/contracts/shell-api';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLayoutEffect } from 'react';
import { App } from './app.tsx';
import { reportToConsole } from './slot/part-event.ts';
import { createLoaderStub, loads } from './testing/loader-stub.ts';
import { sampleConfig } from './testing/sample-config.ts';
import { stubMediaQueries } from './testing/stub-media-queries.ts';
import { createToastStore } from './toast/toast-store.ts';

beforeEach(() => {
  localStorage.clear();
  stubMediaQueries();
  // jsdom cannot capture the pointer.
  Object.assign(Element.prototype, { hasPointerCapture: () => false });
});

afterEach(() => void jest.restoreAllMocks());

const pricing = loads('1.1.0', ({ shell }) => (
  <>
    <p>Shown by release {shell.page.releaseId}</p>
    <button onClick={() => shell.notify({ title: 'Copied' })}>Copy link</button>
    <button onClick={() => shell.theme.setPreference('dark')}>Now {shell.theme.preference}</button>
  </>
));

function renderApp(path: string, part = pricing) {
  history.replaceState(null, '', path);
  return render(
    <App
      path={location.pathname}
      config={sampleConfig}
      releaseId="r-0123456789ab"
      loader={createLoaderStub({ 'mf-pricing/./pricing': [part] })}
      toasts={createToastStore()}
      report={reportToConsole}
      onError={() => undefined}
    />,
  );
}

test('the root path shows the landing page with its remotes', async () => {
  renderApp('/?utm_source=mail#pricing');
  expect(await screen.findByText('Shown by release r-0123456789ab')).toBeInTheDocument();
  expect(screen.getByRole('banner')).toBeInTheDocument();
});

test.each(['/pricing', '/index.html', '/a/b'])('%s shows the 404 page and loads no remote', (path) => {
  const { container } = renderApp(path);
  expect(screen.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeInTheDocument();
  expect(container.querySelector('[data-remote]')).toBeNull();
});

test('what a remote has to say appears in the region of the page', async () => {
  renderApp('/');
  await userEvent.click(await screen.findByRole('button', { name: 'Copy link' }));
  expect(screen.getByRole('listitem')).toHaveTextContent('Copied');
});

test('a theme chosen in a remote applies to the page, and every remote is told', async () => {
  renderApp('/');
  await userEvent.click(await screen.findByRole('button', { name: 'Now light' }));
  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
  expect(screen.getByRole('button', { name: 'Now dark' })).toBeInTheDocument();
});

test('a visitor who signs in sees that the page is at work', async () => {
  // jsdom cannot leave the page, and says so.
  const refused = jest.spyOn(console, 'error').mockImplementation(() => {});
  renderApp('/');
  const [button] = await screen.findAllByRole('button', { name: 'Start Free Trial' });
  await userEvent.click(button ?? document.body);
  expect(screen.getByText('Empowering your documents...')).toBeInTheDocument();
  expect(refused.mock.calls.map(String)).toEqual([expect.stringContaining('Not implemented: navigation')]);
});

test.each(['pushState', 'replaceState'] as const)(
  'a part that changes the address with %s does not take the page away',
  async (method) => {
    renderApp('/');
    await screen.findByRole('button', { name: 'Copy link' });
    act(() => history[method](null, '', '/elsewhere'));
    act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
    await userEvent.click(screen.getByRole('button', { name: 'Now light' }));
    expect(screen.getByRole('button', { name: 'Now dark' })).toBeInTheDocument();
    expect(screen.queryByText('404 Page Not Found')).not.toBeInTheDocument();
  },
);

describe('a wrong call of a part leaves the page as it is', () => {
  const calls: readonly [string, (shell: ShellApi) => void][] = [
    ['notify with an object as title', ({ notify }) => notify({ title: { a: 1 } } as unknown as Notice)],
    [
      'setPreference with a function',
      ({ theme }) =>
        theme.setPreference((() => {
          throw new Error('No');
        }) as unknown as ThemePreference),
    ],
    ['an assignment to the api', (shell) => Reflect.set(shell, 'notify', undefined)],
  ];

  test.each(calls)('%s', async (_, call) => {
    const reported = jest.spyOn(console, 'error').mockImplementation(() => {});
    const Part = ({ shell }: SlotProps) => (
      <>
        <button onClick={() => call(shell)}>Call</button>
        <button onClick={() => shell.notify({ title: 'Copied' })}>Copy link</button>
      </>
    );
    renderApp('/', loads('1.1.0', Part));
    await userEvent.click(await screen.findByRole('button', { name: 'Call' }));
    await userEvent.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(screen.getByRole('banner')).toBeInTheDocument();
    expect(screen.getByRole('listitem')).toHaveTextContent('Copied');
    for (const [message] of reported.mock.calls) {
      expect(message).toBe('mf-pricing@1.1.0 ./pricing failed.');
    }
  });

  test('setPreference in an endless loop of effects', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {});
    const Part = ({ shell: { theme } }: SlotProps) => {
      useLayoutEffect(() => theme.setPreference(theme.preference === 'dark' ? 'light' : 'dark'));
      return <p>Prices</p>;
    };
    renderApp('/', loads('1.1.0', Part));
    expect(await screen.findByText('Prices')).toBeInTheDocument();
    expect(screen.getByRole('banner')).toBeInTheDocument();
  });
});
