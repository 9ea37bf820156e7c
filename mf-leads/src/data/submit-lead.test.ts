import type { LeadType } from '@countersign/contracts/lead';
import { accepted, stubFetchForEachTest } from '../testing/stub-fetch-for-each-test.ts';
import { submitLead } from './submit-lead.ts';

const site = stubFetchForEachTest();

const fields = { name: 'Ada Byron', email: 'ada@example.com', message: 'Ten characters.' };

const send = (type: LeadType) => submitLead({ ...fields, submissionType: type }, 'key-1');

test('submit: times out after 30 seconds and can be retried', async () => {
  jest.useFakeTimers();
  const answer = site.holdResponses();
  try {
    const failure = expect(send('trial')).rejects.toThrow('No answer came within 30 seconds. Please try');
    jest.advanceTimersByTime(30_000);
    await failure;
  } finally {
    jest.useRealTimers();
    answer();
  }
  // As for a lead that the service has spooled.
  site.respondWith({ ...accepted, status: 202 });
  await expect(send('trial')).resolves.toEqual({ message: 'Thank you, we have your message.' });
});

test.each(['<h1>Free Wi-Fi</h1>', '{"ok":true}', ''])('submit: %j is no success', async (body) => {
  site.respondWith({ status: 200, body });
  await expect(send('trial')).rejects.toThrow('The answer could not be read. Please try again.');
});
