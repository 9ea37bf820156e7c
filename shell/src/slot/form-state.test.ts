import { fireEvent, screen } from '@testing-library/react';
import { captureFormState, restoreFormState } from './form-state.ts';

const html =
  '<form><input name="email" value="">' +
  '<label><input type="radio" name="interval" value="year">Year</label>' +
  '<label><input type="radio" name="interval" value="month" checked="">Month</label>' +
  '<label><input type="checkbox" name="news">News</label>' +
  '<textarea name="message"></textarea>' +
  '<select name="plan"><option>Free</option><option>Team</option></select></form>';

function addForm(): HTMLElement {
  const slot = document.createElement('div');
  slot.innerHTML = html;
  document.body.replaceChildren(slot);
  return slot;
}

const field = (name: string) => {
  const found = document.querySelector<HTMLInputElement>(`[name=${name}]`);
  if (!found) throw new Error(`No field ${name}.`);
  return found;
};

test('form state: an untouched form gets no events', () => {
  const slot = addForm();
  const events = jest.fn();
  for (const name of ['input', 'change', 'click', 'focusin']) slot.addEventListener(name, events);
  restoreFormState(slot, captureFormState(slot));
  expect(events).not.toHaveBeenCalled();
});

test('form state: fields of another rendering are matched by name', () => {
  const slot = addForm();
  fireEvent.input(field('message'), { target: { value: 'Hello' } });
  fireEvent.click(screen.getByRole('radio', { name: 'Year' }));
  field('message').focus();
  const input = captureFormState(slot);
  slot.innerHTML = `<h3>New</h3>${html.replace('<input name="email" value="">', '')}`;
  restoreFormState(slot, input);
  expect(field('message')).toHaveValue('Hello');
  expect(field('message')).toHaveFocus();
  expect(screen.getByRole('radio', { name: 'Year' })).toBeChecked();
});

test('form state: input without a matching field is dropped', () => {
  const slot = addForm();
  fireEvent.input(field('email'), { target: { value: 'jo@example.com' } });
  const input = captureFormState(slot);
  slot.innerHTML = '<input name="phone">';
  restoreFormState(slot, input);
  expect(field('phone')).toHaveValue('');
});
