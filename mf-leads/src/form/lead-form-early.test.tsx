import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { act, fireEvent, render, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import CallToAction from '../call-to-action.tsx';
import { readFields, validFields } from '../testing/fill-in.ts';
import { renderSection } from '../testing/render-section.tsx';
import { startTestServerForEachTest } from '../testing/start-test-server-for-each-test.ts';

const site = startTestServerForEachTest();

/** Must be the first test, because the logic stays loaded afterwards. */
test('early submit: waits for the logic and is sent once', async () => {
  const { shell, form, field, notified, ready } = renderSection();
  for (const [name, value] of Object.entries(validFields)) {
    fireEvent.input(field(name), { target: { value } });
  }
  await act(async () => {
    expect(fireEvent.submit(form)).toBe(false);
    expect(fireEvent.submit(form)).toBe(false);
  });
  expect(readFields(form)).toEqual(validFields);

  await notified();
  expect(shell.notify).toHaveBeenCalledWith(expect.objectContaining({ title: 'Success!' }));
  expect(site.requests).toHaveLength(1);
  expect(site.lead()).toMatchObject({ name: validFields.Name, message: validFields.Message });
  expect(await ready()).toBeEnabled();
});

test('early focus: loads the code, and keeps focus and text', async () => {
  const container = document.createElement('div');
  document.body.append(container);
  container.innerHTML = renderToString(<CallToAction shell={createShellStub()} />);
  const name = within(container).getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  name.focus();
  const tooLong = 'A'.repeat(201);
  name.value = tooLong;
  render(<CallToAction shell={createShellStub()} />, { container, hydrate: true });
  // The code of the form shows the hint.
  await within(container).findByText('1 character too many');
  expect(name).toHaveFocus();
  expect(name).toHaveValue(tooLong);
});
