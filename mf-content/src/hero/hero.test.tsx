import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { brand } from '@countersign/contracts/brand';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Hero from './hero.tsx';

afterEach(() => void jest.restoreAllMocks());

test('hero: its name is the only first-level heading', () => {
  render(<Hero shell={createShellStub()} />);
  const heading = screen.getByRole('heading', { level: 1 });
  expect(screen.getByRole('region', { name: heading.textContent })).toContainElement(heading);
});

test('hero: the text contains the brand', () => {
  render(<Hero shell={createShellStub()} />);
  expect(screen.getByText(new RegExp(brand))).toBeVisible();
});

test('hero: Watch Demo only writes to the console', async () => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const shell = createShellStub(() => jest.fn());
  const { container } = render(<Hero shell={shell} />);
  const before = container.innerHTML;
  await userEvent.click(screen.getByRole('button', { name: 'Watch Demo' }));
  expect(log).toHaveBeenCalledTimes(1);
  expect(container.innerHTML).toBe(before);
  expect(shell.signIn).not.toHaveBeenCalled();
  expect(shell.notify).not.toHaveBeenCalled();
});

test('hero: the three facts about the trial are listed', () => {
  render(<Hero shell={createShellStub()} />);
  const facts = within(screen.getByRole('list')).getAllByRole('listitem');
  expect(facts.map((fact) => fact.textContent)).toEqual([
    '30-day free trial',
    'No credit card required',
    'Setup in minutes',
  ]);
});
