import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from '../call-to-action.tsx';
import { leadFormLogic } from '../form/lead-form.tsx';
import { fillIn, validFields, type Fields } from './fill-in.ts';
import { stubFetchForEachTest } from './stub-fetch-for-each-test.ts';

export const user = userEvent.setup();

/** Stubs the lead service for each test, with the code of the form loaded. */
export function stubService() {
  beforeAll(() => leadFormLogic.prefetch());
  afterEach(() => void jest.restoreAllMocks());
  return stubFetchForEachTest();
}

/** What the button of a form says while it sends. */
const submitting = 'Submitting...';

/** Acts in one form of the section. */
function formActions(form: HTMLElement, label: string) {
  return {
    form,
    field: (name: string) => within(form).getByRole('textbox', { name }),
    fill: (fields: Fields = validFields) => fillIn(user, form, fields),
    submit: () => user.click(within(form).getByRole('button', { name: label })),
    /** The submit button, once it is disabled. */
    sending: () => within(form).findByRole('button', { name: submitting }),
    /** The submit button, once it can be pressed. */
    ready: () => within(form).findByRole('button', { name: label }),
  };
}

/** Renders the section and returns the actions in its contact form. */
export function renderSection(shell = createShellStub(() => jest.fn())) {
  const { container } = render(<CallToAction shell={shell} />);
  return {
    container,
    shell,
    /** Waits for as many notices of the page. */
    notified: (times = 1) => waitFor(() => expect(shell.notify).toHaveBeenCalledTimes(times)),
    ...formActions(screen.getByRole('form', { name: 'Ask us anything' }), 'Send Message'),
  };
}

/** Presses the button of a dialog and returns the actions in its form. */
export async function openForm(button: 'Start Free Trial' | 'Schedule Demo') {
  await user.click(screen.getByRole('button', { name: button }));
  return formActions(within(screen.getByRole('dialog')).getByRole('form'), button);
}

/** Storage that the browser refuses. */
export function blockStorage(): void {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
  }
}
