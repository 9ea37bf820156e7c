import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { readFields, renderSection } from '../testing/render-section.tsx';

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
  sessionStorage.setItem('lead-draft-contact', '{"name":"Ada"}');
  sessionStorage.setItem('lead-attempt-contact', '{"key":"1","content":"Ada"}');
  const { form, sending } = renderSection();
  await act(async () => void fireEvent.submit(form));
  await waitFor(() => expect(submitted).toHaveBeenCalledTimes(1));
  expect(await sending()).toBeDisabled();

  expect(fireEvent.submit(form)).toBe(true);
  expect(submitted).toHaveBeenCalledTimes(1);

  // An answer with errors has the path of the form, and that of thanks is below it.
  const nameAfter = (type: string, path = '/api/contact/thanks') => {
    cleanup();
    Object.assign(performance, { getEntriesByType: () => [{ type }] });
    jest.spyOn(document, 'referrer', 'get').mockReturnValue(`${location.origin}${path}`);
    return readFields(renderSection().form).Name;
  };
  expect([nameAfter('navigate', '/api/contact'), nameAfter('navigate')]).toEqual(['Ada', '']);
  expect(sessionStorage.getItem('lead-attempt-contact')).toBeNull();

  // A reload keeps what was typed then. The page of thanks after it confirms that as well.
  fireEvent.input(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'Augusta' } });
  expect([nameAfter('reload'), nameAfter('navigate')]).toEqual(['Augusta', '']);
});
