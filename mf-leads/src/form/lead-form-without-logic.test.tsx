import { act, createEvent, fireEvent, waitFor } from '@testing-library/react';
import { renderSection } from '../testing/render-section.tsx';

jest.mock('./lead-form-logic.tsx', () => {
  throw new Error('Loading chunk lead-form-logic failed.');
});

const submitted = jest.fn();

beforeEach(() => {
  Object.assign(globalThis, { reportError: jest.fn() });
  jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(submitted);
});
afterEach(() => void jest.restoreAllMocks());

test('form: without its logic, the browser submits it natively', async () => {
  const { form, sending } = renderSection();
  await act(async () => void fireEvent.submit(form));
  await waitFor(() => expect(submitted).toHaveBeenCalledTimes(1));
  expect(await sending()).toBeDisabled();

  const submit = createEvent.submit(form);
  fireEvent(form, submit);
  expect(submit.defaultPrevented).toBe(false);
  expect(submitted).toHaveBeenCalledTimes(1);
});
