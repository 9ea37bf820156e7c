import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { stubMediaQueries } from '../testing/stub-media-queries.ts';
import { scrollToSection } from './scroll-to-section.ts';

const reducedMotion = '(prefers-reduced-motion: reduce)';

// jsdom lays nothing out and cannot scroll. It is asked to, and remembers.
const scrollIntoView = jest.fn<undefined, [options: ScrollIntoViewOptions]>();
beforeAll(() => Object.assign(Element.prototype, { scrollIntoView }));
beforeEach(() => {
  scrollIntoView.mockClear();
  stubMediaQueries();
});

function renderSections() {
  render(
    <>
      <button>Header</button>
      <section id="pricing" aria-label="Pricing">
        <button>Choose</button>
      </section>
      <textarea id="contact" tabIndex={0} aria-label="Message" />
    </>,
  );
}

test('the page scrolls smoothly to the section', () => {
  renderSections();
  expect(scrollToSection('pricing')).toBe(true);
  expect(scrollIntoView.mock.contexts).toEqual([screen.getByRole('region', { name: 'Pricing' })]);
  expect(scrollIntoView).toHaveBeenCalledWith({ behavior: 'smooth' });
});

test('the page jumps for visitors who want less motion', () => {
  stubMediaQueries(reducedMotion);
  renderSections();
  scrollToSection('pricing');
  expect(scrollIntoView).toHaveBeenCalledWith({ behavior: 'auto' });
});

test('the next Tab goes on from the section, which is itself no Tab stop', async () => {
  renderSections();
  scrollToSection('pricing');
  expect(screen.getByRole('region', { name: 'Pricing' })).toHaveFocus();
  await userEvent.tab();
  expect(screen.getByRole('button', { name: 'Choose' })).toHaveFocus();
  await userEvent.tab({ shift: true });
  expect(screen.getByRole('button', { name: 'Header' })).toHaveFocus();
});

test('a target that is a Tab stop of its own stays one', () => {
  renderSections();
  scrollToSection('contact');
  expect(screen.getByRole('textbox', { name: 'Message' })).toHaveAttribute('tabindex', '0');
});

test('a section that is missing moves nothing', async () => {
  renderSections();
  screen.getByRole('button', { name: 'Header' }).focus();
  expect(scrollToSection('features')).toBe(false);
  expect(scrollIntoView).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Header' })).toHaveFocus();
});
