import { consentAttribute } from '@countersign/contracts/fragment';
import { consentField, honeypotField, leadPath, type LeadType } from '@countersign/contracts/lead-form';
import type { PageInfo } from '@countersign/contracts/shell-api';
import { onDemand } from '@countersign/on-demand';
import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import { lacksConsent, useLogicTimeout, useReturnToPage } from './browser-fallback.ts';
import { Button } from './button.tsx';
import { restoreDraft, saveDraft } from './draft.ts';
import { FormField } from './form-field.tsx';
import type { LeadFormLogicState, LeadFormOptions, LeadFormSubmit, LeadOutcome } from './lead-form-logic.tsx';
import { LeadStatus } from './lead-status.tsx';
import { leadTexts } from './lead-texts.ts';
import styles from './lead-form.module.css';

export const leadFormLogic = onDemand(
  async () => (await import(/* webpackChunkName: "lead-form-logic" */ './lead-form-logic.tsx')).LeadFormLogic,
);

// blind spot: no step takes the network away, but a test does.
const offline: LeadOutcome = {
  stored: false,
  message: 'There is no internet connection. Your browser will try to send your message in ten seconds.',
};

/**
 * A form that works without JavaScript. Its logic, which validates and sends, loads on the first interaction and takes over the
 * fields with their values. A submit before that waits for the logic; after some time, the browser sends the form itself.
 */
// blind spot ('unneeded', 'needed', loadCode, onPointerEnter, isReadOnly ||): equivalent, because a submit asks for the code.
// blind spot ('logic', 'network', 'page', 'failed', waitsFor, (undefined, form.submit): no step waits so long, but tests do.
// blind spot (giveUpLogic, useLogicTimeout, useReturnToPage, onsent, 'required', return event): no step loses code or consents, but tests do.
// blind spot (readOnly=, continueSubmit, preventDefault, !logic, await): no step types or submits while code or a lead is under way, but tests do.
export function LeadForm(options: LeadFormOptions) {
  const { type } = options;
  /** Whether the form needs the code of its logic. After `failed`, the browser sends the form. */
  const [code, setCode] = useState<'unneeded' | 'needed' | 'failed'>('unneeded');
  const [logic, setLogic] = useState<LeadFormLogicState>();
  /** What a submit waits for: the logic, the logic while offline (`network`), or the page that answers the browser's submit. */
  const [waitsFor, setWaitsFor] = useState<'logic' | 'network' | 'page'>();
  const waitsForLogic = waitsFor === 'logic' || waitsFor === 'network';
  const validateAndSend = useRef<LeadFormSubmit>(null);
  /** Continues the submit that waits for the logic. */
  const continueSubmit = useRef<() => void>(undefined);
  const loadCode = useCallback(() => setCode((current) => (current === 'unneeded' ? 'needed' : current)), []);
  const [form, attachForm] = useDraft(type, loadCode);
  // Not during validation, because some phones open no keyboard for a field that is read-only when it gets the focus.
  const isReadOnly = waitsFor !== undefined || logic?.isSending === true;

  const updateLogic = useCallback((next: LeadFormLogicState) => {
    setLogic(next);
    setWaitsFor(undefined);
    continueSubmit.current?.();
  }, []);

  /** From now on, the browser sends the form, and the service answers with a page. Sends a submit that waits for the logic. */
  function giveUpLogic() {
    setCode('failed');
    setLogic(undefined);
    if (!waitsForLogic || !form || lacksConsent(form)) return setWaitsFor(undefined);
    setWaitsFor('page');
    form.submit();
  }

  useLogicTimeout(waitsForLogic, () => {
    // Some browsers say for good that they are offline, so the second time limit does not ask.
    if (waitsFor === 'logic' && !navigator.onLine) setWaitsFor('network');
    else giveUpLogic();
  });
  useReturnToPage(waitsFor === 'page', () => setWaitsFor(undefined));

  async function submit(event: FormEvent) {
    // The logic asks for the consent itself, after it has validated the fields.
    if (!logic && lacksConsent(form)) return event.preventDefault();
    if (code === 'failed') return;
    event.preventDefault();
    setCode('needed');
    if (!logic) {
      setWaitsFor('logic');
      await new Promise<void>((resolve) => (continueSubmit.current = resolve));
    }
    await validateAndSend.current?.(event);
  }

  return (
    <form
      ref={attachForm}
      method="post"
      action={leadPath(type)}
      className={styles.form}
      aria-label={leadTexts[type].title}
      noValidate={options.shell.page.consent !== 'required'}
      onPointerEnter={() => void leadFormLogic.prefetch()}
      onFocus={loadCode}
      onInput={({ currentTarget }) => saveDraft(type, currentTarget)}
      onSubmit={(event) => void submit(event)}
    >
      <LeadFields logic={logic} readOnly={isReadOnly} page={options.shell.page} />
      <SubmitButton label={leadTexts[type].action} isBusy={isReadOnly || logic?.isSubmitting === true} />
      <LeadStatus outcome={logic?.outcome ?? (waitsFor === 'network' ? offline : undefined)} />
      {form && code === 'needed' ? (
        <leadFormLogic.Component
          {...options}
          form={form}
          ref={validateAndSend}
          onState={updateLogic}
          onLoadFailure={giveUpLogic}
        />
      ) : null}
    </form>
  );
}

interface LeadFieldsProps {
  readonly logic: LeadFormLogicState | undefined;
  readonly readOnly: boolean;
  readonly page: PageInfo;
}

// blind spot (autoComplete, kind=, <HoneypotField, <Consent): no step sees what a browser fills in or a bot, but tests do.
function LeadFields({ logic, readOnly, page }: LeadFieldsProps) {
  const field = (name: 'name' | 'email' | 'company' | 'message') => ({
    field: logic?.register(name) ?? { name },
    error: logic?.errors[name],
    readOnly,
  });
  return (
    <>
      <p className={styles.legend}>
        <span className={styles.asterisk}>*</span> Required
      </p>
      <div className={styles.person}>
        <FormField label="Name" autoComplete="name" {...field('name')} />
        <FormField label="Email" kind="email" autoComplete="email" {...field('email')} />
      </div>
      <FormField label="Company" optional autoComplete="organization" {...field('company')} />
      <FormField label="Message" kind="multiline" autoComplete="on" {...field('message')} />
      <HoneypotField />
      <Consent page={page} />
    </>
  );
}

/** The operator's sentence about the use of data, with a box if consent is required. */
// blind spot: the page of the check asks for no consent, but the tests of the form do.
function Consent({ page: { consentText, consent, privacyUrl } }: { readonly page: PageInfo }) {
  if (consentText === undefined) return null;
  const required = consent === 'required';
  return (
    <p {...{ [consentAttribute]: '' }}>
      <label className={styles.consent}>
        <input
          type={required ? 'checkbox' : 'hidden'}
          required={required}
          name={consentField}
          value={`${consentText} Privacy Policy`}
        />
        <span>
          {consentText} <a href={privacyUrl}>Privacy Policy</a>
        </span>
      </label>
    </p>
  );
}

/** Honeypot: a field that bots fill in. People, screen readers and password managers skip it. */
// blind spot: no step fills it in, but a test does, and looks at its attributes.
function HoneypotField() {
  return (
    <label className={styles.honeypot} aria-hidden="true">
      Leave this field empty
      <input
        name={honeypotField}
        tabIndex={-1}
        autoComplete="off"
        data-1p-ignore=""
        data-lpignore="true"
        data-bwignore=""
        data-form-type="other"
      />
    </label>
  );
}

/** Restores the draft into the form, and calls back if the form has received the focus before hydration. */
function useDraft(type: LeadType, onFocused: () => void) {
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  const attachForm = useCallback(
    (element: HTMLFormElement | null) => {
      setForm(element);
      if (!element) return;
      // The logic validates. Without script, the browser asks for a required consent.
      element.noValidate = true; // blind spot: no step has to consent, but tests do.
      restoreDraft(type, element);
      // blind spot: equivalent, because a submit asks for the code as well.
      if (element.contains(document.activeElement)) onFocused();
    },
    [type, onFocused],
  );
  return [form, attachForm] as const;
}

/** Disabled while it is busy, which loses the focus to an ancestor. The focus returns afterwards, unless the visitor has moved it. */
// blind spot (|| !isBusy, false → true, variant, disabled): equivalent where nothing is focused before, and cosmetic.
function SubmitButton({ label, isBusy }: { readonly label: string; readonly isBusy: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const focusWasLost = document.activeElement?.contains(button.current);
    if (wasBusy.current && !isBusy && focusWasLost) button.current?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);
  return (
    <div className={styles.end}>
      <Button ref={button} variant="primary" type="submit" disabled={isBusy}>
        {isBusy ? 'Submitting...' : label}
      </Button>
    </div>
  );
}
