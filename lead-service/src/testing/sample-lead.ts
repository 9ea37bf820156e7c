/** The fields of a form, without the type. */
export const sampleLead = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  company: 'Analytical Engines',
  message: 'Please show me how templates work.',
};
