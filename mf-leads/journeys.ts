import {
  answers,
  defineJourneys,
  focusIs,
  hasValue,
  key,
  notSee,
  press,
  reload,
  see,
  sends,
  type,
  type Journey,
} from '@countersign/contracts/journeys';

type LeadType = 'contact' | 'trial' | 'demo';

const forms = {
  contact: { title: 'Ask us anything', send: 'Send Message' },
  trial: { title: 'Start your free trial', send: 'Start Free Trial' },
  demo: { title: 'Schedule your demo', send: 'Schedule Demo' },
} as const;

/** In the form of a type. */
const inForm = (kind: LeadType) => ({ in: `form "${forms[kind].title}"` }) as const;

/** Opens the dialog of a type. The contact form is part of the page. */
const open = (kind: LeadType): Journey['steps'] =>
  kind === 'contact' ? [] : [press(`button "${forms[kind].send}"`, { in: '#contact' }), see('dialog')];

const name = 'Zoë Example';
const email = 'ada@example.com';
const company = 'Example & Sons';
const message = 'We sign forty contracts a week, each with three people in two countries.';
const valid = { Name: name, Email: email, 'Company (optional)': company, Message: message };
const tooShort = { Name: 'A', Email: 'ada@', Message: 'Too short' };

const fillIn = (kind: LeadType, texts: Readonly<Record<string, string>> = valid): Journey['steps'] =>
  Object.entries(texts).map(([label, text]) => type(`textbox "${label}"`, text, inForm(kind)));

const sendsLead = (kind: LeadType): Journey['steps'] => [
  answers(`/api/${kind}`, { status: 201, message: 'We answer within a day.', held: true }),
  press(`button "${forms[kind].send}"`, inForm(kind)),
  see('button "Submitting..."', inForm(kind)),
  notSee('"Please try again in an hour."', inForm(kind)),
  // A second press must not send it twice.
  key('Enter'),
  sends(`/api/${kind}`, { name, email, message, submissionType: kind }),
  see('"Success!"'),
  see('"We answer within a day."', { in: '#contact' }),
  ...(kind === 'contact'
    ? [see('status', inForm(kind)), hasValue('textbox "Message"', '', inForm(kind))]
    : [notSee('dialog'), see('status', { in: '#contact' })]),
];

/** In one journey, because typing takes most of the time. */
const explainsMistakesAndSends = (kind: LeadType): Journey['steps'] => [
  ...open(kind),
  ...fillIn(kind, tooShort),
  press(`button "${forms[kind].send}"`, inForm(kind)),
  see('"Name must be at least 2 characters"', inForm(kind)),
  see('"Please enter a valid email address"', inForm(kind)),
  see('"Message must be at least 10 characters"', inForm(kind)),
  focusIs('textbox "Name"', inForm(kind)),
  type('textbox "Message"', message, inForm(kind)),
  // In the message it begins a line.
  key('Enter'),
  focusIs('textbox "Message"', inForm(kind)),
  type('textbox "Name"', name, inForm(kind)),
  notSee('"Name must be at least 2 characters"', inForm(kind)),
  key('Enter'),
  focusIs('textbox "Email"', inForm(kind)),
  type('textbox "Email"', email, inForm(kind)),
  answers(`/api/${kind}`, { status: 503, message: 'Please try again in an hour.' }),
  press(`button "${forms[kind].send}"`, inForm(kind)),
  see('"503: Please try again in an hour."', inForm(kind)),
  see('"Error"'),
  // Also above a dialog, which stays open.
  key('F8'),
  focusIs('list'),
  key('Tab'),
  focusIs('button "Close"', { in: 'list' }),
  key('Enter'),
  notSee('"Error"'),
  focusIs(`button "${forms[kind].send}"`, inForm(kind)),
  ...sendsLead(kind),
];

/** As the browser sends it, too. */
const sendsAtOnce: Journey['steps'] = [
  ...fillIn('contact'),
  press('button "Send Message"', inForm('contact')),
  sends('/api/contact', { name, email, company, message }),
];

export const journeys = defineJourneys({
  'trial: mistakes and an error are explained, F8 reaches the toast, and a lead is sent':
    explainsMistakesAndSends('trial'),
  'contact: a lead is sent': [...fillIn('contact'), ...sendsLead('contact')],
  'a dialog is modal, closes by Escape, and gives the focus back': [
    ...open('demo'),
    notSee('form "Ask us anything"'),
    see('heading "Schedule your demo"'),
    see('"we will show you how they get signed"', { in: 'dialog' }),
    focusIs('textbox "Name"', inForm('demo')),
    ...['Email', 'Company (optional)', 'Message'].flatMap((label) => [
      key('Tab'),
      focusIs(`textbox "${label}"`, inForm('demo')),
    ]),
    key('Tab'),
    focusIs('button "Schedule Demo"', inForm('demo')),
    key('Tab', 12),
    focusIs('dialog'),
    key('Escape'),
    notSee('dialog'),
    focusIs('button "Schedule Demo"', { in: '#contact' }),
    ...open('demo'),
    press('button "Close"', { in: 'dialog' }),
    notSee('dialog'),
    focusIs('button "Schedule Demo"', { in: '#contact' }),
  ],
  'the section says what a trial costs': [
    see('heading "Have your first document signed today"'),
    see('"Upload it, name who signs"', { in: '#contact' }),
    see('"30-day free trial"', { in: '#contact' }),
    see('"No credit card required"', { in: '#contact' }),
    see('"Setup in 5 minutes"', { in: '#contact' }),
    notSee('link "Start Free Trial"', { in: '#contact' }),
    see('heading "Ask us anything"'),
    see('"A question about plans"', { in: '#contact' }),
    ...['* Required', 'Name*', 'Email*', 'Message*'].map((text) => see(`"${text}"`, inForm('contact'))),
  ],
  ...Object.fromEntries(
    (['contact', 'demo'] as const).map((kind) => [
      `${kind}: mistakes and an error are explained, and a lead is sent`,
      { often: false, steps: explainsMistakesAndSends(kind) },
    ]),
  ),
  'typed text stays after the page is loaded again': [
    type('textbox "Name"', name, inForm('contact')),
    ...open('trial'),
    type('textbox "Message"', message, inForm('trial')),
    key('Escape'),
    reload(),
    hasValue('textbox "Name"', name, inForm('contact')),
    hasValue('textbox "Message"', '', inForm('contact')),
    ...open('trial'),
    see('"what you want to have signed first"', { in: 'dialog' }),
    hasValue('textbox "Message"', message, inForm('trial')),
  ],
  'after another press, one before the code has come opens a dialog': {
    page: 'early',
    steps: [press('button "Templating"'), ...open('demo')],
  },
  'text that is typed early stays': { page: 'early', steps: [...sendsAtOnce, see('"Success!"')] },
  'without scripts a lead is sent': {
    page: 'plain',
    steps: [see('link "Start Free Trial"', { in: '#contact' }), ...sendsAtOnce],
  },
});
