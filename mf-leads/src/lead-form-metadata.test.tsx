import { trapField } from '@countersign/contracts/lead';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from './call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { createShellStub } from './shell-stub.ts';
import { fillIn, rightFields } from './testing/fill-in.ts';
import { startSiteForEachTest } from './testing/start-site-for-each-test.ts';

const site = startSiteForEachTest();
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

/** Sends the form and returns what has arrived. */
async function send(form: HTMLElement): Promise<unknown> {
  await fillIn(user, form, rightFields);
  await user.click(within(form).getByRole('button', { name: 'Send Message' }));
  await waitFor(() => expect(site.requests).toHaveLength(1));
  await within(form).findByRole('button', { name: 'Send Message' });
  return JSON.parse(site.requests[0]?.body ?? '');
}

function comeFrom(referrer: string): void {
  jest.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
}

test('a lead says which page, campaign and state of the page it comes from', async () => {
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

test('the campaign that led into the tab first counts, also after a reload at another address', async () => {
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

test('the page itself is not where somebody came from', async () => {
  comeFrom(`${location.origin}/no/such/page`);
  expect(await send(renderForm())).not.toHaveProperty('attribution.referrer');
});

test('where storage is forbidden, the campaign in the address counts', async () => {
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  history.replaceState(null, '', '/?utm_source=letter');
  expect(await send(renderForm())).toHaveProperty('attribution.utmSource', 'letter');
});

describe('the field that nobody should fill in', () => {
  const trapOf = (form: HTMLElement) => form.querySelector<HTMLInputElement>(`[name="${trapField}"]`);

  test('is out of reach for screen readers, keyboards and password managers', () => {
    const trap = trapOf(renderForm());
    expect(trap?.closest('[aria-hidden="true"]')).toBeInTheDocument();
    expect(trap).toHaveAttribute('tabindex', '-1');
    expect(trap).toHaveAttribute('autocomplete', 'off');
    expect(trap).toHaveAttribute('data-1p-ignore');
    expect(trap?.labels?.[0]).toHaveTextContent('Leave this field empty');
  });

  test('is not sent while it is empty, and sent when something has filled it in', async () => {
    const form = renderForm();
    expect(await send(form)).not.toHaveProperty(trapField);
    cleanup();
    const filled = renderForm();
    const trap = trapOf(filled);
    if (!trap) throw new Error('There is no such field.');
    fireEvent.input(trap, { target: { value: 'https://spam.example' } });
    await fillIn(user, filled, rightFields);
    await user.click(within(filled).getByRole('button', { name: 'Send Message' }));
    await waitFor(() => expect(site.requests).toHaveLength(2));
    expect(JSON.parse(site.requests[1]?.body ?? '')).toHaveProperty(trapField, 'https://spam.example');
  });
});
