import { brand } from '@countersign/contracts/brand';
import { render, screen, within } from '@testing-library/react';
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

test('why choose us: the heading names the section', () => {
  render(<WhyChooseUs />);
  const region = within(screen.getByRole('region', { name: 'Why Choose Us' }));
  expect(region.getByRole('heading', { level: 2, name: 'Why Choose Us' })).toBeVisible();
});

test.each([
  ['Time to revenue', '80% faster', [`Without ${brand}`, '15 days average'], [`With ${brand}`, '3 days']],
  ['Monthly cost', 'Savings $2,101', ['Traditional', '$2,400'], [`With ${brand}`, '$299']],
  ['Convenience score', '6.2 points ahead', ['Email', '3.2/10'], [brand, '9.4/10']],
])('benefits: %s: %s', (title, result, before, after) => {
  render(<WhyChooseUs />);
  const card = within(block(title));
  expect(card.getByText(result)).toBeVisible();
  expect(card.getAllByRole('term').map((term) => term.textContent)).toEqual([before[0], after[0]]);
  expect(card.getAllByRole('definition').map((value) => value.textContent)).toEqual([before[1], after[1]]);
});

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

test.each([
  'Carbon footprint -89%',
  '94% less paper',
  '2,847 trees saved annually',
  '12.3 tons CO2 prevented',
])('footprint: %s', (statement) => {
  render(<WhyChooseUs />);
  const statements = screen.getAllByRole('paragraph').map((paragraph) => paragraph.textContent.trim());
  expect(statements).toContain(statement);
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
