import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Hero from './hero.tsx';

afterEach(() => void jest.restoreAllMocks());

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
