import { render, screen, within } from '@testing-library/react';
import { testimonials } from './testimonial-list.ts';
import Testimonials from './testimonials.tsx';

test.each(testimonials)(
  'testimonials: $name has a title, initials and a rating',
  ({ name, title, quote, avatar }) => {
    render(<Testimonials />);
    const figure = screen.getAllByRole('figure').find((element) => within(element).queryByText(name));
    if (!figure) throw new Error(`${name} is not quoted.`);
    expect(within(figure).getByRole('blockquote')).toHaveTextContent(quote);
    expect(figure.querySelector('figcaption')).toHaveTextContent(`${name}${title}`);
    expect(within(figure).getByText(avatar)).toHaveAttribute('aria-hidden', 'true');
    expect(within(figure).getByRole('img', { name: 'Rated 5 out of 5' })).toBeVisible();
  },
);

test('rating: the number of stars matches the label', () => {
  render(<Testimonials />);
  for (const rating of screen.getAllByRole('img', { name: 'Rated 5 out of 5' })) {
    expect(rating.children).toHaveLength(5);
  }
});

test('testimonials: no photographs', () => {
  const { container } = render(<Testimonials />);
  expect(container.querySelector('img')).toBeNull();
});
