import { brand } from '@countersign/contracts/brand';
import type { SlotProps } from '@countersign/contracts/shell-api';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { createShellStub } from '../../testing/shell-stub.ts';
import { FooterFallback } from './footer-fallback.tsx';
import { HeaderFallback } from './header-fallback.tsx';
import { HeroFallback } from './hero-fallback.tsx';
import { LeadsFallback } from './leads-fallback.tsx';
import { PricingFallback } from './pricing-fallback.tsx';

function renderFallback(Fallback: ComponentType<SlotProps>) {
  const shell = createShellStub();
  render(<Fallback shell={shell} />);
  return shell;
}

test('without the header remote the page still has its banner, with the brand and every section to go to', () => {
  renderFallback(HeaderFallback);
  const banner = within(screen.getByRole('banner'));
  expect(banner.getByText(brand)).toBeInTheDocument();
  const links = within(banner.getByRole('navigation', { name: 'Main' })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Features', '#features'],
    ['Pricing', '#pricing'],
    ['API', '#api'],
    ['Contact', '#contact'],
  ]);
});

test('without the hero the page still has its title of level 1 and says what the trial costs', () => {
  renderFallback(HeroFallback);
  const name = 'Documents, forms and signatures in one place';
  const section = within(screen.getByRole('region', { name }));
  expect(section.getByRole('heading', { level: 1, name })).toBeInTheDocument();
  expect(section.getByText('Free 30-day trial. No credit card required.')).toBeInTheDocument();
});

test.each([
  { name: 'Pricing', id: 'pricing', Fallback: PricingFallback, sentence: /price list could not be loaded/ },
  { name: 'Contact', id: 'contact', Fallback: LeadsFallback, sentence: /contact form could not be loaded/ },
])(
  'the section $name keeps its anchor and says what is missing and how to go on',
  ({ name, id, Fallback, sentence }) => {
    renderFallback(Fallback);
    const section = screen.getByRole('region', { name });
    expect(section).toHaveAttribute('id', id);
    expect(within(section).getByRole('heading', { level: 2, name })).toBeInTheDocument();
    expect(within(section).getByText(sentence)).toHaveTextContent('Reload the page');
  },
);

test('without the footer remote the page still has its copyright line', () => {
  renderFallback(FooterFallback);
  expect(screen.getByRole('contentinfo')).toHaveTextContent(`© 2024 ${brand}`);
});

test.each([
  ['header', 'Sign In', HeaderFallback],
  ['hero', 'Start Free Trial', HeroFallback],
  ['pricing', 'Start Free Trial', PricingFallback],
  ['contact', 'Start Free Trial', LeadsFallback],
] as const)('the button in the place of the %s leads to the login page: %s', async (_, name, Fallback) => {
  const shell = renderFallback(Fallback);
  await userEvent.click(screen.getByRole('button', { name }));
  expect(shell.signIn).toHaveBeenCalledTimes(1);
});
