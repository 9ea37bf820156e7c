import type { LeadType } from '@countersign/contracts/lead-form';

/** `action` labels the submit button, and the button that opens the dialog. */
export const leadTexts = {
  trial: {
    title: 'Start your free trial',
    introduction: 'Tell us who you are and what you want to have signed first. No credit card required.',
    action: 'Start Free Trial',
  },
  demo: {
    title: 'Schedule your demo',
    introduction: 'Tell us which documents you work with, and we will show you how they get signed.',
    action: 'Schedule Demo',
  },
  contact: {
    title: 'Ask us anything',
    introduction: 'A question about plans, security or the API? Someone who knows will answer.',
    action: 'Send Message',
  },
} as const satisfies Readonly<Record<LeadType, Record<'title' | 'introduction' | 'action', string>>>;
