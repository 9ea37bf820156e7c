import { act, fireEvent } from '@testing-library/react';
import { readFields, renderSection, validFields } from '../testing/render-section.tsx';
import { stubFetchForEachTest } from '../testing/stub-fetch-for-each-test.ts';

const site = stubFetchForEachTest();

/** Must be the first test, because the logic stays loaded afterwards. */
test('early submit: waits for the logic and is sent once', async () => {
  const { shell, form, field, notified, ready } = renderSection();
  for (const [name, value] of Object.entries(validFields)) {
    fireEvent.input(field(name), { target: { value } });
  }
  const answer = site.holdResponses();
  await act(async () => {
    expect(fireEvent.submit(form)).toBe(false);
    expect(fireEvent.submit(form)).toBe(false);
  });
  expect(readFields(form)).toEqual(validFields);
  answer();

  await notified();
  expect(shell.notify).toHaveBeenCalledWith(expect.objectContaining({ title: 'Success!' }));
  expect(site.requests).toHaveLength(1);
  expect(site.lead()).toMatchObject({ name: validFields.Name, message: validFields.Message });
  expect(await ready()).toBeEnabled();
});
