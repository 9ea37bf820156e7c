import { render, screen, within } from '@testing-library/react';
import PlatformAvailability from './platform-availability.tsx';

test.each([
  ['Web application', 'Available Now'],
  ['iOS app', 'Coming Soon'],
  ['Android app', 'Coming Soon'],
])('platforms: %s is %s', (name, status) => {
  render(<PlatformAvailability />);
  const items = screen.getAllByRole('listitem');
  const platform = items.find((item) => within(item).queryByRole('heading', { level: 3, name }));
  expect(platform).toHaveTextContent(`${name}${status}`);
});

test('platforms: three of them, in a named section', () => {
  render(<PlatformAvailability />);
  const heading = screen.getByRole('heading', { level: 2 });
  const region = within(screen.getByRole('region', { name: heading.textContent }));
  expect(region.getAllByRole('listitem')).toHaveLength(3);
});
