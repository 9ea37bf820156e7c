import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { act, createEvent, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import CallToAction from '../call-to-action.tsx';

jest.mock('./lead-form-logic.tsx', () => {
  throw new Error('Loading chunk lead-form-logic failed.');
});

const submitted = jest.fn();

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(submitted);
});
afterEach(() => void jest.restoreAllMocks());

test('form: without its logic, the browser submits it natively', async () => {
  render(<CallToAction shell={createShellStub()} />);
  const form = screen.getByRole('form', { name: 'Ask us anything' });
  await act(async () => void fireEvent.submit(form));
  await waitFor(() => expect(submitted).toHaveBeenCalledTimes(1));
  expect(within(form).getByRole('button', { name: 'Submitting...' })).toBeDisabled();

  const submit = createEvent.submit(form);
  // jsdom does not implement navigation.
  form.addEventListener('submit', (event) => event.stopPropagation());
  fireEvent(form, submit);
  expect(submit.defaultPrevented).toBe(false);
  expect(submitted).toHaveBeenCalledTimes(1);
});
