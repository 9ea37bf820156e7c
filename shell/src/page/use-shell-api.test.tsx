import { render, renderHook, screen } from '@testing-library/react';
import { sampleConfig } from '../testing/sample-config.ts';
import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { createToastStore } from '../toast/toast-store.ts';
import { useShellApi } from './use-shell-api.ts';

beforeEach(() => {
  history.replaceState(null, '', '/#before');
  stubMediaQueries();
  Object.assign(Element.prototype, { scrollIntoView: () => {} });
});
afterEach(() => void jest.restoreAllMocks());

function renderShellApi() {
  const toasts = createToastStore();
  const depart = jest.fn();
  const { result, rerender } = renderHook(
    ({ releaseId }) => useShellApi({ config: sampleConfig, releaseId, toasts, depart }),
    { initialProps: { releaseId: 'r-000000000001' } },
  );
  return { shell: () => result.current, rerender, toasts, depart };
}

test('a remote learns the release and the application host', () => {
  const { shell } = renderShellApi();
  expect(shell().page).toEqual({ releaseId: 'r-000000000001', appHost: 'https://app.example' });
});

test('sign in leaves the page', () => {
  const { shell, depart } = renderShellApi();
  shell().signIn();
  expect(depart).toHaveBeenCalledTimes(1);
});

test('a notice of a remote becomes a toast', () => {
  const { shell, toasts } = renderShellApi();
  shell().notify({ title: 'Success!', description: 'Thank you.' });
  expect(toasts.getToasts()).toMatchObject([{ title: 'Success!', description: 'Thank you.', open: true }]);
});

test('scrolling to a section puts its anchor into the address, so that the visitor can go back', () => {
  render(<section id="pricing" aria-label="Pricing" />);
  const entries = history.length;
  renderShellApi().shell().scrollToSection('pricing');
  expect(screen.getByRole('region', { name: 'Pricing' })).toHaveFocus();
  expect(location.hash).toBe('#pricing');
  expect(history.length).toBe(entries + 1);
});

test('scrolling to a section that is missing leaves the address alone', () => {
  renderShellApi().shell().scrollToSection('features');
  expect(location.hash).toBe('#before');
});

test('remotes get a new object only when something in it has changed', () => {
  const { shell, rerender } = renderShellApi();
  const before = shell();
  rerender({ releaseId: 'r-000000000001' });
  expect(shell()).toBe(before);
  rerender({ releaseId: 'r-000000000002' });
  expect(shell()).not.toBe(before);
  expect(shell().page.releaseId).toBe('r-000000000002');
});
