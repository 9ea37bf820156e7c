import { honeypotField } from '@countersign/contracts/lead';
import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import type { PageInfo } from '@countersign/contracts/shell-api';
import { cleanup, fireEvent, within } from '@testing-library/react';
import { renderSection, stubService } from '../testing/render-section.tsx';

const site = stubService();
afterEach(() => history.replaceState(null, '', '/'));

/** Fills the form in, sends it, and returns the received lead. */
async function sendLead({ fill, send } = renderSection()): Promise<unknown> {
  await fill();
  await send();
  return site.lead(site.requests.length - 1);
}

function comeFrom(referrer: string): void {
  jest.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
}

const campaign = '?utm_source=letter&utm_medium=mail&utm_campaign=s%C3%BCd&utm_term=a&utm_content=b';

test('attribution: has page and release, and the first page view and campaign of the tab', async () => {
  for (const address of ['/', `/${campaign}#api`, '/?utm_source=banner']) {
    history.replaceState(null, '', address);
    comeFrom(address === '/' ? 'https://search.example/?q=sign' : 'https://banner.example/');
    renderSection();
    cleanup();
  }
  history.replaceState(null, '', '/?plan=team');
  expect(await sendLead()).toHaveProperty('attribution', {
    page: '/?plan=team',
    referrer: 'https://banner.example/',
    utmSource: 'letter',
    utmMedium: 'mail',
    utmCampaign: 'süd',
    utmTerm: 'a',
    utmContent: 'b',
    landingPage: '/',
    landingReferrer: 'https://search.example/?q=sign',
    releaseId: 'r-000000000000',
  });
});

test('attribution: a referrer of the same site is omitted', async () => {
  comeFrom(`${location.origin}/no/such/page`);
  expect(await sendLead()).not.toHaveProperty('attribution.referrer');
});

test('attribution: without a consent, click identifiers are neither sent nor stored', async () => {
  history.replaceState(null, '', '/?gclid=Cj0K&utm_source=letter&li_fat_id=e2f1');
  const lead = await sendLead();
  expect(lead).toHaveProperty('attribution.page', '/?utm_source=letter');
  expect(JSON.stringify([lead, { ...sessionStorage }])).not.toMatch(/Cj0K|e2f1/);
});

test('attribution: contains the versions that the page shows', async () => {
  const parts = [{ part: 'mf-pricing', version: '1.1.0', group: 'canary' }] as const;
  const shell = { ...createShellStub(() => jest.fn()), shownParts: () => parts };
  expect(await sendLead(renderSection(shell))).toHaveProperty('attribution.parts', parts);
});

const honeypotOf = (form: HTMLElement) => within(form).getByLabelText('Leave this field empty');

test('honeypot: is hidden from screen readers, keyboards and password managers', () => {
  const honeypot = honeypotOf(renderSection().form);
  expect(honeypot.closest('[aria-hidden="true"]')).toBeInTheDocument();
  expect(honeypot).toHaveAttribute('tabindex', '-1');
  expect(honeypot).toHaveAttribute('autocomplete', 'off');
  expect(honeypot).toHaveAttribute('data-1p-ignore');
});

test('honeypot: is sent only if it is filled in', async () => {
  expect(await sendLead()).not.toHaveProperty(honeypotField);
  cleanup();
  const section = renderSection();
  fireEvent.input(honeypotOf(section.form), { target: { value: 'https://spam.example' } });
  expect(await sendLead(section)).toHaveProperty(honeypotField, 'https://spam.example');
});

test('consent: its text and time are sent; a required one needs its box ticked', async () => {
  const text = 'We use your data to answer you.';
  const info = { ...createShellStub().page, consentText: text, privacyUrl: 'https://www.example/privacy' };
  const stub = (page: PageInfo) => createShellStub(() => jest.fn(), { page });
  const attribution = { consentText: `${text} Privacy Policy`, consentedAt: expect.stringMatching(/Z$/) };
  expect(await sendLead(renderSection(stub(info)))).toMatchObject({ attribution });
  cleanup();
  const { form, fill, submit, send } = renderSection(stub({ ...info, consent: 'required' }));
  await submit();
  expect(await within(form).findByText('Name must be at least 2 characters')).toBeVisible();
  await fill();
  await submit();
  // Only the first form has sent its lead.
  expect(site.requests).toHaveLength(1);
  fireEvent.click(within(form).getByRole('checkbox', { name: /^We use your data .* Privacy Policy$/ }));
  await send();
  expect(site.lead(1)).toMatchObject({ attribution });
});
