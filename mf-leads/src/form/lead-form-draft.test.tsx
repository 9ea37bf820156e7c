import { idempotencyKeyHeader } from '@countersign/contracts/lead';
import { cleanup } from '@testing-library/react';
import {
  openForm,
  renderFilledIn,
  readFields,
  renderSection,
  stubService,
  user,
  validFields,
} from '../testing/render-section.tsx';

const site = stubService();

const untouched = { Name: '', Email: '', 'Company (optional)': '', Message: '' };

/** Simulates a reload, after which only stored data is left. */
function reload() {
  cleanup();
  return renderSection();
}

test('draft: is deleted after sending', async () => {
  const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith('lead-draft'));
  const { send } = await renderFilledIn();
  expect(drafts()).toHaveLength(1);
  await send();
  expect(drafts()).toEqual([]);
  expect(readFields(reload().form)).toEqual(untouched);
});

test('dialog: reopened during a request, it cannot send twice, and is editable after a failure', async () => {
  site.respondWith({ status: 503, body: 'Not now.' });
  const { notified } = renderSection();
  const { fill, submit } = await openForm('Start Free Trial');
  await fill();
  const answer = site.holdResponses();
  await submit();
  await user.keyboard('{Escape}');
  const opened = await openForm('Start Free Trial');
  expect(await opened.sending()).toBeDisabled();
  await user.type(opened.field('Message'), ' One more thing.');
  expect(readFields(opened.form)).toEqual(validFields);
  answer();
  await notified();
  await opened.ready();
  expect(site.requests).toHaveLength(1);
  await opened.fill({ Name: 'Augusta' });
  expect(readFields(opened.form)).toEqual({ ...validFields, Name: 'Augusta' });
});

test.each(['no JSON', '[]', 'null', '{"name":7,"email":{},"message":null,"key":"\\r\\nX: 1"}'])(
  'the stored text %j does no harm',
  async (stored) => {
    for (const kept of ['draft', 'attempt']) sessionStorage.setItem(`lead-${kept}-contact`, stored);
    const { form, fill, send } = renderSection();
    expect(readFields(form)).toEqual(untouched);
    await fill();
    await send();
    expect(site.requests[0]?.headers[idempotencyKeyHeader]).toMatch(/^"[\w-]{16,}"$/);
  },
);
