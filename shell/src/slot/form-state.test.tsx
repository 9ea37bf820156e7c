import { act, fireEvent, screen } from '@testing-library/react';
import { useLayoutEffect, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { captureFormState, restoreFormState, type FormState } from './form-state.ts';

const html =
  '<form data-email="" data-interval="month"><input name="email" value="">' +
  '<label><input type="radio" name="interval" value="year">Year</label>' +
  '<label><input type="radio" name="interval" value="month" checked="">Month</label>' +
  '<label><input type="checkbox" name="news">News</label>' +
  '<textarea name="message"></textarea>' +
  '<select name="plan"><option>Free</option><option>Team</option></select></form>';

function Form({ onShown }: { readonly onShown: () => void }) {
  const [email, setEmail] = useState('');
  const [interval, setInterval] = useState('month');
  useLayoutEffect(onShown, [onShown]);
  const radio = (value: string, label: string) => (
    <label>
      <input
        type="radio"
        name="interval"
        value={value}
        checked={interval === value}
        onChange={() => setInterval(value)}
      />
      {label}
    </label>
  );
  return (
    <form data-email={email} data-interval={interval}>
      <input name="email" value={email} onChange={({ target }) => setEmail(target.value)} />
      {radio('year', 'Year')}
      {radio('month', 'Month')}
      <label>
        <input type="checkbox" name="news" />
        News
      </label>
      <textarea name="message" />
      <select name="plan">
        <option>Free</option>
        <option>Team</option>
      </select>
    </form>
  );
}

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

test('form state: input from before hydration is restored and known to the form', async () => {
  const slot = addForm();
  field('email').focus();
  fireEvent.input(field('email'), { target: { value: 'jo@example.com' } });
  fireEvent.input(field('message'), { target: { value: 'Hello' } });
  fireEvent.click(screen.getByRole('radio', { name: 'Year' }));
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.change(field('plan'), { target: { value: 'Team' } });
  const input: FormState = captureFormState(slot);
  const onShown = () => restoreFormState(slot, input);
  await act(async () => void hydrateRoot(slot, <Form onShown={onShown} />));

  expect(field('email')).toHaveValue('jo@example.com');
  expect(field('email')).toHaveFocus();
  expect(slot.firstElementChild).toHaveAttribute('data-email', 'jo@example.com');
  expect(slot.firstElementChild).toHaveAttribute('data-interval', 'year');
  expect(screen.getByRole('radio', { name: 'Year' })).toBeChecked();
  expect(screen.getByRole('checkbox')).toBeChecked();
  expect(field('message')).toHaveValue('Hello');
  expect(field('plan')).toHaveValue('Team');
});

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
