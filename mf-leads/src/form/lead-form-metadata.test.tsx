import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { honeypotField } from '@countersign/contracts/lead';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from '../call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { fillIn, validFields } from '../testing/fill-in.ts';
import { startTestServerForEachTest } from '../testing/start-test-server-for-each-test.ts';

const site = startTestServerForEachTest();
beforeAll(() => leadFormLogic.prefetch());
afterEach(() => {
  jest.restoreAllMocks();
  history.replaceState(null, '', '/');
});

const user = userEvent.setup();

function renderForm(): HTMLElement {
  render(<CallToAction shell={createShellStub()} />);
  return screen.getByRole('form', { name: 'Ask us anything' });
}

/** Submits the form and returns the received lead. */
async function send(form: HTMLElement): Promise<unknown> {
  await fillIn(user, form, validFields);
  await user.click(within(form).getByRole('button', { name: 'Send Message' }));
  await waitFor(() => expect(site.requests).toHaveLength(1));
  await within(form).findByRole('button', { name: 'Send Message' });
  return JSON.parse(site.requests[0]?.body ?? '');
}

function comeFrom(referrer: string): void {
  jest.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
}

test('attribution: contains page, campaign and release', async () => {
  history.replaceState(
    null,
    '',
    '/?utm_source=letter&utm_medium=mail&utm_campaign=s%C3%BCd&utm_term=a&utm_content=b#api',
  );
  comeFrom('https://search.example/?q=sign');
  expect(await send(renderForm())).toHaveProperty('attribution', {
    page: '/?utm_source=letter&utm_medium=mail&utm_campaign=s%C3%BCd&utm_term=a&utm_content=b',
    referrer: 'https://search.example/?q=sign',
    utmSource: 'letter',
    utmMedium: 'mail',
    utmCampaign: 'süd',
    utmTerm: 'a',
    utmContent: 'b',
    releaseId: 'r-000000000000',
  });
});

test('attribution: the first campaign of the tab wins, also after a reload', async () => {
  for (const address of ['/', '/?utm_source=letter', '/?utm_source=banner&utm_term=sign', '/?plan=team']) {
    cleanup();
    history.replaceState(null, '', address);
    renderForm();
  }
  const form = screen.getByRole('form', { name: 'Ask us anything' });
  expect(await send(form)).toHaveProperty('attribution', {
    page: '/?plan=team',
    utmSource: 'letter',
    releaseId: 'r-000000000000',
  });
});

test('attribution: a referrer of the same site is omitted', async () => {
  comeFrom(`${location.origin}/no/such/page`);
  expect(await send(renderForm())).not.toHaveProperty('attribution.referrer');
});

test('attribution: without storage, the URL’s campaign applies', async () => {
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  history.replaceState(null, '', '/?utm_source=letter');
  expect(await send(renderForm())).toHaveProperty('attribution.utmSource', 'letter');
});

describe('the honeypot', () => {
  const honeypotOf = (form: HTMLElement) => form.querySelector<HTMLInputElement>(`[name="${honeypotField}"]`);

  test('is hidden from screen readers, keyboards and password managers', () => {
    const honeypot = honeypotOf(renderForm());
    expect(honeypot?.closest('[aria-hidden="true"]')).toBeInTheDocument();
    expect(honeypot).toHaveAttribute('tabindex', '-1');
    expect(honeypot).toHaveAttribute('autocomplete', 'off');
    expect(honeypot).toHaveAttribute('data-1p-ignore');
    expect(honeypot?.labels?.[0]).toHaveTextContent('Leave this field empty');
  });

  test('is sent only if it is filled in', async () => {
    const form = renderForm();
    expect(await send(form)).not.toHaveProperty(honeypotField);
    cleanup();
    const filled = renderForm();
    const honeypot = honeypotOf(filled);
    if (!honeypot) throw new Error('There is no such field.');
    fireEvent.input(honeypot, { target: { value: 'https://spam.example' } });
    await fillIn(user, filled, validFields);
    await user.click(within(filled).getByRole('button', { name: 'Send Message' }));
    await waitFor(() => expect(site.requests).toHaveLength(2));
    expect(JSON.parse(site.requests[1]?.body ?? '')).toHaveProperty(honeypotField, 'https://spam.example');
  });
});
