import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createLoaderStub, loads } from '../testing/loader-stub.ts';
import { createShellStub } from '../testing/shell-stub.ts';
import { landingPageSlots } from './landing-page-slots.ts';
import { LandingPage } from './landing-page.tsx';

const places = Object.entries(landingPageSlots).flatMap(([place, slots]) =>
  slots.map(({ remote, exposed }) => ({ place, key: `${remote}/${exposed}` })),
);

/** Every slot gets a remote that shows which place of the page it was loaded for. */
function renderPage() {
  const versions = places.map(({ key }) => [key, [loads('1.0.0', () => <p data-testid="block">{key}</p>)]]);
  return render(
    <LandingPage loader={createLoaderStub(Object.fromEntries(versions))} shell={createShellStub()} />,
  );
}

test('the list of slots is the page from top to bottom, and its main slots are in the main landmark', async () => {
  renderPage();
  const blocks = await screen.findAllByTestId('block');
  const main = screen.getByRole('main');
  expect(blocks.map((block) => ({ key: block.textContent, inMain: main.contains(block) }))).toEqual(
    places.map(({ place, key }) => ({ key, inMain: place === 'main' })),
  );
});

test('whatever stands between them, a visitor meets header, hero, pricing, call to action and footer in turn', () => {
  const met = [
    'mf-header/./header',
    'mf-content/./hero',
    'mf-pricing/./pricing',
    'mf-leads/./call-to-action',
    'mf-content/./footer',
  ];
  expect(places.map(({ key }) => key).filter((key) => met.includes(key))).toEqual(met);
});

test('the first Tab stop leads past the header to the content', async () => {
  renderPage();
  await userEvent.tab();
  const link = screen.getByRole('link', { name: 'Skip to content' });
  expect(link).toHaveFocus();
  expect(link).toHaveAttribute('href', `#${screen.getByRole('main').id}`);
});

test('without any remote the page still has all its landmarks', () => {
  render(<LandingPage loader={createLoaderStub()} shell={createShellStub()} />);
  for (const role of ['banner', 'main', 'contentinfo']) {
    expect(screen.getByRole(role)).toBeInTheDocument();
  }
});
