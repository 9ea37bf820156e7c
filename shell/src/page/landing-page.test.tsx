import { sectionIds } from '@countersign/contracts/shell-api';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createLoaderStub, loads } from '../testing/loader-stub.ts';
import { createShellStub } from '../testing/shell-stub.ts';
import { landingPageSlots } from './landing-page-slots.ts';
import { reportToConsole } from '../slot/part-event.ts';
import { LandingPage } from './landing-page.tsx';

const places = Object.entries(landingPageSlots).flatMap(([place, slots]) =>
  slots.map(({ remote, exposed }) => ({ place, key: `${remote}/${exposed}` })),
);

/** Every slot gets a remote that shows which place of the page it was loaded for. */
function renderPage() {
  const versions = places.map(({ key }) => [key, [loads('1.0.0', () => <p data-testid="block">{key}</p>)]]);
  return render(
    <LandingPage
      loader={createLoaderStub(Object.fromEntries(versions))}
      shell={createShellStub()}
      report={reportToConsole}
      onError={() => undefined}
    />,
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

test('a visitor meets the sections in the order of the product’s page', () => {
  expect(places.map(({ key }) => key)).toEqual([
    'mf-header/./header',
    'mf-content/./hero',
    'mf-content/./trust-indicators',
    'mf-content/./platform-availability',
    'mf-content/./features',
    'mf-content/./workflow',
    'mf-content/./multi-party-signing',
    'mf-content/./why-choose-us',
    'mf-pricing/./pricing',
    'mf-content/./testimonials',
    'mf-leads/./call-to-action',
    'mf-content/./footer',
  ]);
});

test('the first Tab stop leads past the header to the content', async () => {
  renderPage();
  await userEvent.tab();
  const link = screen.getByRole('link', { name: 'Skip to content' });
  expect(link).toHaveFocus();
  expect(link).toHaveAttribute('href', `#${screen.getByRole('main').id}`);
});

describe('without any remote', () => {
  beforeEach(() => {
    render(
      <LandingPage
        loader={createLoaderStub()}
        shell={createShellStub()}
        report={reportToConsole}
        onError={() => undefined}
      />,
    );
  });

  test('the page still has its landmarks, one title, and a named section in every main slot', () => {
    for (const role of ['banner', 'main', 'contentinfo']) {
      expect(screen.getByRole(role)).toBeInTheDocument();
    }
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
    const sections = within(screen.getByRole('main')).getAllByRole('region');
    expect(sections).toHaveLength(landingPageSlots.main.length);
    for (const section of sections) expect(section).toHaveAccessibleName();
  });

  test('every anchor of the navigation still leads to its section', () => {
    const names = sectionIds.map((id) => document.querySelector(`section#${id} h2`)?.textContent);
    expect(names).toEqual(['Features', 'Workflows and API', 'Pricing', 'Contact']);
  });
});
