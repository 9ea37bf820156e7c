import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from '../call-to-action.tsx';
import { leadFormLogic } from '../form/lead-form.tsx';
import { stubFetchForEachTest } from './stub-fetch-for-each-test.ts';

export const user = userEvent.setup();

/** Stubs the lead service for each test, with the code of the form loaded. */
export function stubService(): ReturnType<typeof stubFetchForEachTest> {
  beforeAll(() => leadFormLogic.prefetch());
  afterEach(() => void jest.restoreAllMocks());
  return stubFetchForEachTest();
}

/** Valid values for all fields, by label. */
export const validFields = {
  Name: 'Ada Byron',
  Email: 'ada@example.com',
  'Company (optional)': 'Analytical Engines',
  Message: 'We sign about forty contracts a month.',
} as const;

type Fields = Partial<Record<keyof typeof validFields, string>>;

/** Values of the fields by label. */
export function readFields(form: HTMLElement): Fields {
  const valueOf = (name: string) => within(form).getByRole<HTMLInputElement>('textbox', { name }).value;
  return Object.fromEntries(Object.keys(validFields).map((name) => [name, valueOf(name)]));
}

/** Acts in one form of the section. */
function formActions(form: HTMLElement, label: string) {
  return {
    form,
    field: (name: string) => within(form).getByRole('textbox', { name }),
    /** Replaces the values of fields. Pastes, because typing renders the form once for every letter. */
    async fill(fields: Fields = validFields) {
      for (const [name, text] of Object.entries(fields)) {
        await user.clear(within(form).getByRole('textbox', { name }));
        if (text) await user.paste(text);
      }
    },
    submit: () => user.click(within(form).getByRole('button', { name: label })),
    /** The submit button, once it is disabled. */
    sending: () => within(form).findByRole('button', { name: 'Submitting...' }),
    /** The submit button, once it can be pressed. */
    ready: () => within(form).findByRole('button', { name: label }),
  };
}

/** Renders the section and returns the actions in its contact form. */
export function renderSection(shell = createShellStub(() => jest.fn())) {
  render(<CallToAction shell={shell} />);
  const actions = formActions(screen.getByRole('form', { name: 'Ask us anything' }), 'Send Message');
  /** Waits until the page has shown so many toasts in all. */
  const notified = (times = 1) => waitFor(() => expect(shell.notify).toHaveBeenCalledTimes(times));
  let sent = 0;
  return {
    ...{ shell, notified, ...actions },
    /** Submits the form and waits for the toast. */
    async send() {
      await actions.submit();
      await notified((sent += 1));
      await actions.ready();
    },
  };
}

/** Renders the section with valid values in the contact form. */
export async function renderFilledIn() {
  const section = renderSection();
  await section.fill();
  return section;
}

/** Presses the button of a dialog and returns the actions in its form. */
export async function openForm(button: 'Start Free Trial' | 'Schedule Demo') {
  await user.click(screen.getByRole('button', { name: button }));
  return formActions(within(screen.getByRole('dialog')).getByRole('form'), button);
}
