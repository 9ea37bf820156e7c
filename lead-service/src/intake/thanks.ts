import type { LeadType } from '@countersign/contracts/lead';

/** Success messages for the sender, by lead type. */
export const thanks: Readonly<Record<LeadType, string>> = {
  trial: 'Thank you. We will be in touch shortly to start your free trial.',
  demo: 'Thank you. We will be in touch shortly to arrange your demo.',
  contact: 'Thank you for your message. We will get back to you shortly.',
};
