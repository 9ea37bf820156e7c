import { render, screen } from '@testing-library/react';
import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { scrollToSection } from './scroll-to-section.ts';

const reducedMotion = '(prefers-reduced-motion: reduce)';

// jsdom has no layout and does not implement `scrollIntoView`, so a mock records the calls.
const scrollIntoView = jest.fn<undefined, [options: ScrollIntoViewOptions]>();
beforeAll(() => Object.assign(Element.prototype, { scrollIntoView }));
beforeEach(() => {
  scrollIntoView.mockClear();
  stubMediaQueries();
});

function renderSections() {
  render(
    <>
      <button type="button">Header</button>
      <section id="pricing" aria-label="Pricing">
        <button type="button">Choose</button>
      </section>
      <textarea id="contact" tabIndex={0} aria-label="Message" />
    </>,
  );
}

test('scroll to section: scrolls smoothly', () => {
  renderSections();
  expect(scrollToSection('pricing')).toBe(true);
  expect(scrollIntoView.mock.contexts).toEqual([screen.getByRole('region', { name: 'Pricing' })]);
  expect(scrollIntoView).toHaveBeenCalledWith({ behavior: 'smooth' });
});

test('scroll to section: jumps with reduced motion', () => {
  stubMediaQueries(reducedMotion);
  renderSections();
  scrollToSection('pricing');
  expect(scrollIntoView).toHaveBeenCalledWith({ behavior: 'auto' });
});

test('scroll to section: an existing Tab stop stays one', () => {
  renderSections();
  scrollToSection('contact');
  expect(screen.getByRole('textbox', { name: 'Message' })).toHaveAttribute('tabindex', '0');
});

test('scroll to section: a missing section changes nothing', async () => {
  renderSections();
  screen.getByRole('button', { name: 'Header' }).focus();
  expect(scrollToSection('features')).toBe(false);
  expect(scrollIntoView).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Header' })).toHaveFocus();
});
