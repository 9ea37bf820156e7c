import { render, screen } from '@testing-library/react';
import WhyChooseUs from './why-choose-us.tsx';

function block(name: string): HTMLElement {
  const element = screen.getByRole('heading', { level: 3, name }).parentElement;
  if (!element) throw new Error(`${name} stands nowhere.`);
  return element;
}

/** Drawn lengths of the bars, in percent. */
function barLengths(element: Element): number[] {
  return [...element.querySelectorAll('rect.length')].map((bar) =>
    Number.parseFloat(bar.getAttribute('width') ?? ''),
  );
}

test.each([
  ['Time to revenue', 15, 3, 15],
  ['Monthly cost', 2400, 299, 2400],
  ['Convenience score', 3.2, 9.4, 10],
])('comparison: the bars of %s have the lengths of their values', (title, before, after, scale) => {
  render(<WhyChooseUs />);
  const [first, second] = barLengths(block(title));
  expect(first).toBeCloseTo((before / scale) * 100);
  expect(second).toBeCloseTo((after / scale) * 100);
});

test('hours saved: 156 hours a month are drawn as eight-hour days', () => {
  render(<WhyChooseUs />);
  const card = block('156 hours saved per month');
  const days = [...card.querySelectorAll('rect.saved')].map((day) =>
    Number.parseFloat(day.getAttribute('width') ?? ''),
  );
  expect((days.reduce((sum, percent) => sum + percent, 0) / 100) * 8).toBe(156);
});

test('footprint: reductions are compared with paper', () => {
  render(<WhyChooseUs />);
  const panel = screen.getByText('-89%').closest('ul');
  expect(panel && barLengths(panel)).toEqual([100, 11, 100, 6]);
});

test('comparison: the bars are hidden from assistive technology', () => {
  render(<WhyChooseUs />);
  expect(screen.queryByRole('img')).not.toBeInTheDocument();
  expect(screen.getAllByRole('definition').every((value) => value.textContent !== '')).toBe(true);
});
