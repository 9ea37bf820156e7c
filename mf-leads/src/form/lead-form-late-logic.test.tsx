import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { act, fireEvent, within } from '@testing-library/react';
import { renderSection } from '../testing/render-section.tsx';

jest.mock('@countersign/on-demand', () => ({
  /** Code that never arrives. */
  onDemand: () => ({ prefetch: () => new Promise<never>(() => undefined), Component: () => null }),
}));

const submitted = jest.fn();

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(submitted);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  submitted.mockClear();
  sessionStorage.clear();
});

function submitForm(): HTMLElement {
  const { form } = renderSection();
  fireEvent.submit(form);
  return form;
}

const wait = (milliseconds: number) => act(() => jest.advanceTimersByTime(milliseconds));

test('late logic: the browser sends the form after ten seconds', () => {
  const form = submitForm();
  wait(9_000);
  expect(submitted).not.toHaveBeenCalled();
  expect(within(form).getByRole('button', { name: 'Submitting...' })).toBeDisabled();
  wait(1_000);
  expect(submitted).toHaveBeenCalledTimes(1);
  // Until the page of the answer comes, and not for ever, because the visitor may have stopped the browser.
  expect(within(form).getByRole('button', { name: 'Submitting...' })).toBeDisabled();
  wait(60_000);
  expect(submitted).toHaveBeenCalledTimes(1);
  expect(within(form).getByRole('button', { name: 'Send Message' })).toBeEnabled();
});

test('late logic: the browser does not send a lead whose consent was taken back', () => {
  const page = { ...createShellStub().page, consentText: 'Yes.', consent: 'required' } as const;
  const { form } = renderSection(createShellStub(() => jest.fn(), { page }));
  fireEvent.click(within(form).getByRole('checkbox'));
  fireEvent.submit(form);
  fireEvent.click(within(form).getByRole('checkbox'));
  wait(10_000);
  expect(submitted).not.toHaveBeenCalled();
  expect(within(form).getByRole('button', { name: 'Send Message' })).toBeEnabled();
});

test('late logic: the form is usable after Back', () => {
  const form = submitForm();
  wait(10_000);
  act(() => void dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
  expect(within(form).getByRole('button', { name: 'Send Message' })).toBeEnabled();
});

test('late logic: offline, the form says so, and is sent at the second time limit', () => {
  const form = submitForm();
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  wait(10_000);
  expect(within(form).getByRole('status')).toHaveTextContent('There is no internet connection.');
  wait(9_000);
  expect(submitted).not.toHaveBeenCalled();
  wait(1_000);
  expect(submitted).toHaveBeenCalledTimes(1);
});
