import { leadPath, type LeadType } from '@countersign/contracts/lead-form';
import type { ShellApi } from '@countersign/contracts/shell-api';
import { onDemand } from '@countersign/on-demand';
import {
  Component,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
} from 'react';
import { Button } from './button.tsx';
import { markSentByBrowser, restoreDraft, saveDraft, takeSentByBrowser } from './draft.ts';
import { FormField } from './form-field.tsx';
import type { LeadFormState, LeadOutcome } from './lead-form-logic.tsx';
import { LeadStatus } from './lead-status.tsx';
import { leadTexts } from './lead-texts.ts';
import { HoneypotField } from './honeypot-field.tsx';
import styles from './lead-form.module.css';

export interface LeadFormOptions {
  readonly type: LeadType;
  readonly shell: Pick<ShellApi, 'notify' | 'page'>;
  /** Forms with the same object share a query client. */
  readonly session: object;
  /** Called with the service's message when the lead is stored. */
  readonly onSuccess?: (message: string) => void;
}

/** How long a submit waits for the logic before the browser sends the form, in milliseconds. */
const logicTimeout = 10_000;

/** How long the form waits for the page that answers the browser's own request, in milliseconds. */
const navigationTimeout = 30_000;

const waitsForNetwork: LeadOutcome = {
  stored: false,
  message: 'There is no internet connection. Your message will be sent as soon as you are online again.',
};

const sentByBrowser: LeadOutcome = {
  stored: true,
  message: 'Your browser sent this message. If you saw our thank-you page, it has arrived.',
};

/** Validation, proof of work and sending. */
export const leadFormLogic = onDemand(
  async () => (await import(/* webpackChunkName: "lead-form-logic" */ './lead-form-logic.tsx')).LeadFormLogic,
);

interface LogicBoundaryProps {
  readonly children: ReactNode;
  /** Called when the code fails to load or throws. */
  onFailure(): void;
}

/** Error boundary of the form's logic, so that the form stays and the browser can submit it. */
class LogicBoundary extends Component<LogicBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch() {
    this.props.onFailure();
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}

interface LoadingLeadFormOptions extends LeadFormOptions {
  /** Loads the logic on mount instead of on the first interaction. */
  readonly eager?: boolean;
}

/**
 * A form that works without JavaScript. Its logic loads on the first interaction and takes over the fields with
 * their values. A submit before that waits for the logic.
 */
export function LeadForm({ eager = false, ...options }: LoadingLeadFormOptions) {
  const { type } = options;
  const { title, action } = leadTexts[type];
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  const [needsLogic, setNeedsLogic] = useState(eager);
  const [submitCount, setSubmitCount] = useState(0);
  const [logic, setLogic] = useState<LeadFormState>();
  const [logicFailed, setLogicFailed] = useState(false);
  const [notice, setNotice] = useState<LeadOutcome>();
  const [isLeaving, setIsLeaving] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasSending = useRef(false);
  const isSubmitPending = submitCount > 0 && !logic && !logicFailed;
  const isSending = logic?.isSending ?? (isSubmitPending || isLeaving);

  const attachForm = useCallback(
    (element: HTMLFormElement | null) => {
      setForm(element);
      if (!element) return;
      restoreDraft(type, element);
      if (takeSentByBrowser(type)) setNotice(sentByBrowser);
      // The form may have received focus before hydration.
      if (element.contains(document.activeElement)) setNeedsLogic(true);
    },
    [type],
  );

  useEffect(() => {
    // A disabled button loses the focus to an ancestor. The focus returns unless the visitor has moved it.
    const focusWasLost = document.activeElement?.contains(button.current);
    if (wasSending.current && !isSending && focusWasLost) button.current?.focus();
    wasSending.current = isSending;
  }, [isSending]);

  const giveUpOnLogic = useEffectEvent(() => {
    if (!navigator.onLine) setNotice(waitsForNetwork);
    // The page does not leave while the visitor fills in another form.
    else if (!isInOtherForm(form)) fallBackToNativeSubmit();
  });

  useEffect(() => {
    if (!isSubmitPending) return;
    const wait = () => setInterval(giveUpOnLogic, logicTimeout);
    let timer = wait();
    const waitAgain = () => {
      setNotice(undefined);
      clearInterval(timer);
      timer = wait();
    };
    addEventListener('online', waitAgain);
    return () => {
      clearInterval(timer);
      removeEventListener('online', waitAgain);
    };
  }, [isSubmitPending]);

  useEffect(() => {
    if (!isLeaving) return;
    const stay = () => setIsLeaving(false);
    const timer = setTimeout(stay, navigationTimeout);
    // Back may return to this page as it was.
    const stayIfRestored = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      stay();
      if (takeSentByBrowser(type)) setNotice(sentByBrowser);
    };
    addEventListener('pageshow', stayIfRestored);
    return () => {
      clearTimeout(timer);
      removeEventListener('pageshow', stayIfRestored);
    };
  }, [isLeaving, type]);

  function send(event: FormEvent) {
    // Without the logic, the browser submits the form natively, and the service responds with a page.
    if (logicFailed) return;
    event.preventDefault();
    setNeedsLogic(true);
    setNotice(navigator.onLine ? undefined : waitsForNetwork);
    setSubmitCount((count) => count + 1);
  }

  function fallBackToNativeSubmit() {
    setLogicFailed(true);
    setLogic(undefined);
    if (!isSubmitPending || !form) return;
    setIsLeaving(true);
    markSentByBrowser(type);
    form.submit();
  }

  const field = (name: 'name' | 'email' | 'company' | 'message') => ({
    field: logic?.register(name) ?? { name },
    error: logic?.errors[name],
    hint: logic?.hints[name],
    readOnly: isSending,
  });

  return (
    <form
      ref={attachForm}
      method="post"
      action={leadPath(type)}
      className={styles.form}
      aria-label={title}
      noValidate
      onPointerEnter={() => void leadFormLogic.prefetch()}
      onFocus={() => setNeedsLogic(true)}
      onInput={({ currentTarget }) => saveDraft(type, currentTarget)}
      onSubmit={send}
    >
      <p className={styles.legend}>
        <span className={styles.asterisk}>*</span> Required
      </p>
      <div className={styles.person}>
        <FormField label="Name" autoComplete="name" {...field('name')} />
        <FormField label="Email" kind="email" autoComplete="email" {...field('email')} />
      </div>
      <FormField label="Company" optional autoComplete="organization" {...field('company')} />
      <FormField label="Message" kind="multiline" autoComplete="off" {...field('message')} />
      <HoneypotField />
      <div className={styles.end}>
        <Button ref={button} variant="primary" type="submit" disabled={isSending}>
          {isSending ? 'Submitting...' : action}
        </Button>
      </div>
      <LeadStatus outcome={logic?.outcome ?? notice} />
      {form && needsLogic && !logicFailed ? (
        <LogicBoundary onFailure={fallBackToNativeSubmit}>
          <leadFormLogic.Component {...options} form={form} submitCount={submitCount} onState={setLogic} />
        </LogicBoundary>
      ) : null}
    </form>
  );
}

function isInOtherForm(form: HTMLFormElement | null): boolean {
  const focused = document.activeElement?.closest('form');
  return focused != null && focused !== form;
}
