import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
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

function renderApp(path: string) {
  history.replaceState(null, '', path);
  return render(
    <App
      config={sampleConfig}
      releaseId="r-0123456789ab"
      loader={createLoaderStub({ 'mf-pricing/./pricing': [pricing] })}
      toasts={createToastStore()}
      report={reportToConsole}
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

test('the page follows the address without a reload', async () => {
  renderApp('/');
  await screen.findByRole('button', { name: 'Copy link' });
  act(() => history.pushState(null, '', '/elsewhere'));
  expect(screen.getByRole('main')).toHaveTextContent('404 Page Not Found');
  act(() => history.pushState(null, '', '/'));
  expect(await screen.findByRole('button', { name: 'Copy link' })).toBeInTheDocument();
});
