import { leadPath, honeypotField, type LeadType } from '@countersign/contracts/lead';
import type { FieldError } from '../http/http-error.ts';
import { html, type Html } from '../http/html.ts';

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
  readonly values: Readonly<Record<string, string>>;
  readonly fieldErrors: readonly FieldError[];
}

/**
 * The form of the page that answers a refused submission without script: with the submitted values, and an error message
 * beside each invalid field. Its labels are those of the form in the page. The attributes of the honeypot keep off password managers, which would fill it in for a person.
 */
export function leadForm({ type, values, fieldErrors }: SentForm): Html {
  const firstInvalid = fields.find(({ name }) => fieldErrors.some(({ field }) => field === name));
  return html`<form method="post" action="${leadPath(type)}" novalidate>
    <p class="legend"><span class="asterisk">*</span> Required</p>
    ${fields.map((field) => fieldRow(field, values[field.name] ?? '', fieldErrors, field === firstInvalid))}
    <div class="visually-hidden" aria-hidden="true">
      <input
        name="${honeypotField}"
        value="${values[honeypotField] ?? ''}"
        tabindex="-1"
        autocomplete="off"
        data-1p-ignore
        data-bwignore
        data-form-type="other"
        data-lpignore="true"
      />
    </div>
    <button>Send again</button>
  </form>`;
}

function fieldRow(
  { name, label, autocomplete, optional }: Field,
  value: string,
  fieldErrors: readonly FieldError[],
  isFirstInvalid: boolean,
): Html {
  const message = fieldErrors.find(({ field }) => field === name)?.message;
  const attributes = html`id="${name}" name="${name}" autocomplete="${autocomplete}"
  ${name !== 'email' && html`dir="auto"`} ${!optional && html`aria-required="true"`}
  ${message !== undefined && html`aria-invalid="true" aria-describedby="${name}-error"`}
  ${isFirstInvalid && html`autofocus`}`;
  // Browsers drop the first line break of a textarea.
  const control =
    name === 'message'
      ? html`<textarea ${attributes} rows="8">${'\n'}${value}</textarea>`
      : html`<input ${attributes} type="${name === 'email' ? 'email' : 'text'}" value="${value}" />`;
  return html`<div>
    <label for="${name}"
      >${label}${
        optional
          ? html`<span class="optional"> (optional)</span>`
          : html`<span class="asterisk" aria-hidden="true"> *</span>`
      }</label
    >
    ${control} ${message !== undefined && html`<span class="error" id="${name}-error">${message}</span>`}
  </div>`;
}
