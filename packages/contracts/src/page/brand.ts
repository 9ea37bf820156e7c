/** The product's name, the only place where it is a literal. */
export const brand = 'Countersign';
