export interface Testimonial {
  /** Stars out of 5. */
  readonly rating: 5;
  readonly quote: string;
  readonly name: string;
  readonly title: string;
  /** Initials, because there are no photographs. */
  readonly avatar: string;
}

// blind spot ('EW', 'HD', 'NH'): cosmetic, a picture of the person.
export const testimonials: readonly [Testimonial, Testimonial, Testimonial] = [
  {
    rating: 5,
    quote:
      'We take on about forty nurses a month. Contract, confidentiality form and bank details used to come back in three separate emails. Now it is one link, and by Friday I can see whose signature is missing.',
    name: 'Eleanor Whitcombe',
    title: 'Head of People, regional hospital group',
    avatar: 'EW',
  },
  {
    rating: 5,
    quote:
      'Three people sign each supplier agreement, always in the same order. Nobody asks me any more whose desk it is on.',
    name: 'Henrik Dalgaard',
    title: 'Finance Director, building materials wholesaler',
    avatar: 'HD',
  },
  {
    rating: 5,
    quote:
      'The signed file is in our own storage before the tenant has closed the tab. Two of us built the integration in a week.',
    name: 'Noor Haddad',
    title: 'Lead Engineer, property letting platform',
    avatar: 'NH',
  },
];
