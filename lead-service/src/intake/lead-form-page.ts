import { leadPath, trapField, type LeadType } from '@countersign/contracts/lead';
import type { FieldFault } from '../submission.ts';
import { html, type Html } from './html.ts';

interface Field {
  readonly name: 'name' | 'email' | 'company' | 'message';
  readonly label: string;
  readonly autocomplete: string;
  readonly optional?: true;
}

const fields: readonly Field[] = [
  { name: 'name', label: 'Name', autocomplete: 'name' },
  { name: 'email', label: 'Email', autocomplete: 'email' },
  { name: 'company', label: 'Company', autocomplete: 'organization', optional: true },
  { name: 'message', label: 'Message', autocomplete: 'off' },
];

interface SentForm {
  readonly type: LeadType;
  /** What was typed. */
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly FieldFault[];
}

/** The form once more, filled in as it was sent, with what is wrong beside each field. */
export function leadForm({ type, values, faults }: SentForm): Html {
  const faulty = fields.find(({ name }) => faults.some(({ field }) => field === name));
  return html`<form method="post" action="${leadPath(type)}" novalidate>
    ${fields.map((field) => fieldRow(field, values[field.name] ?? '', faults, field === faulty))}
    <div class="apart" aria-hidden="true">
      <input
        name="${trapField}"
        value="${values[trapField] ?? ''}"
        tabindex="-1"
        autocomplete="off"
        data-1p-ignore
        data-bwignore
        data-form-type="other"
        data-lpignore="true"
      />
    </div>
    <input type="hidden" name="formToken" value="${values['formToken'] ?? ''}" />
    <button>Send again</button>
  </form>`;
}

function fieldRow(
  { name, label, autocomplete, optional }: Field,
  value: string,
  faults: readonly FieldFault[],
  isFirstFault: boolean,
): Html {
  const message = faults.find(({ field }) => field === name)?.message;
  const attributes = html`id="${name}" name="${name}" autocomplete="${autocomplete}"
  ${!optional && html`aria-required="true"`}
  ${message !== undefined && html`aria-invalid="true" aria-describedby="${name}-error"`}
  ${isFirstFault && html`autofocus`}`;
  // Browsers take away the first line break of a text area.
  const control =
    name === 'message'
      ? html`<textarea ${attributes} rows="8">${'\n'}${value}</textarea>`
      : html`<input ${attributes} type="${name === 'email' ? 'email' : 'text'}" value="${value}" />`;
  return html`<div>
    <label for="${name}">${label}${optional ? ' (optional)' : '*'}</label>
    ${control} ${message !== undefined && html`<span class="error" id="${name}-error">${message}</span>`}
  </div>`;
}
