/** The product's name. It stands here and nowhere else as a literal. */
export const brand = 'Countersign';
