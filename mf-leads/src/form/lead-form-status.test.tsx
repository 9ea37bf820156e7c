import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { screen, within } from '@testing-library/react';
import { readFields, validFields } from '../testing/fill-in.ts';
import { openForm, renderSection, stubService } from '../testing/render-section.tsx';

const site = stubService();
const thanks = 'Thank you, we have your message.';

const notices: readonly (readonly [what: string, notify: unknown])[] = [
  ['works', jest.fn()],
  ['is missing', undefined],
];

let reported: jest.SpyInstance;
beforeEach(() => void (reported = jest.spyOn(console, 'error').mockImplementation(() => {})));

function renderWith(notify: unknown) {
  const { form, fill, submit } = renderSection({
    ...createShellStub(),
    notify: notify as ShellApi['notify'],
  });
  return {
    form,
    status: within(form).getByRole('status'),
    async send() {
      await fill();
      await submit();
    },
  };
}

describe.each(notices)('while the notice of the page %s', (what, notify) => {
  afterEach(() => expect(reported).toHaveBeenCalledTimes(what === 'works' ? 0 : 1));

  test('the contact form confirms a stored lead and resets', async () => {
    const { form, status, send } = renderWith(notify);
    expect(status).toBeEmptyDOMElement();
    await send();
    expect(await within(form).findByText(thanks)).toBe(status);
    expect(Object.values(readFields(form))).toEqual(['', '', '', '']);
  });

  test('the contact form shows why a lead was not stored, and keeps it', async () => {
    site.respondWith({ status: 503, body: 'Not now.' });
    const { form, status, send } = renderWith(notify);
    await send();
    expect(await within(form).findByText('503: Not now.')).toBe(status);
    expect(readFields(form)).toEqual(validFields);
  });

  test('the section confirms a trial after its dialog has closed', async () => {
    renderWith(notify);
    const { fill, submit } = await openForm('Start Free Trial');
    await fill();
    await submit();
    expect(await screen.findByText(thanks)).toHaveAttribute('role', 'status');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

test('status: a new attempt clears the last outcome', async () => {
  site.respondWith({ status: 503, body: 'Not now.' });
  const { form, status, send } = renderWith(jest.fn());
  await send();
  await within(form).findByText('503: Not now.');
  const answer = site.holdResponses();
  await send();
  await within(form).findByRole('button', { name: 'Submitting...' });
  expect(status).toBeEmptyDOMElement();
  answer();
  await within(form).findByText('503: Not now.');
});
