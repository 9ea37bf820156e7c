import { fragmentFile } from '@countersign/contracts/fragment';
import {
  choose,
  defineJourneys,
  hasValue,
  isChosen,
  press,
  scrollsTo,
  see,
  sends,
  type,
} from '@countersign/contracts/journeys';
import { documentTemplateFile } from '@countersign/contracts/part-manifest';
import type { BuiltPart } from './built-part.ts';
import { compatibleRemote, compatibleShell, minimalShellScript } from './compatible-part.ts';
import { pageViolationsOf } from './violations-of.ts';

export interface WholeComponent {
  /** Fragment of the component. */
  readonly markup?: string;
  /** Body of the function that gets its slot as `slot`. */
  readonly code?: string;
  /** Styles of its class. */
  readonly css?: string;
  readonly extra?: BuiltPart;
}

/** An exposed component, or only its code. */
export type Component = WholeComponent | string;

/** Class of the version, named like those of CSS Modules. */
export const own = 'first-module-mf-pricing-Ab12_x';
/** Markup of a component that the journeys use. */
export const toggle = `<section><h2>Plans</h2><label><input type="radio" name="a"> Yearly</label><button type="button">More</button></section>`;

/** A shell whose page is high and loses a text after a while, and whose visitors send a form, scroll to a section and keep a theme. */
function usedShell(): BuiltPart {
  const shell = compatibleShell(
    '1.0.0',
    {
      'shell.js': `${minimalShellScript}
        setTimeout(() => document.getElementById('status').remove(), 3000);
        const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': '"1"' };
        const send = (fields) => fetch('/api/contact', { method: 'POST', headers, body: JSON.stringify(fields) });
        document.getElementById('form').addEventListener('submit', (event) => {
          event.preventDefault();
          send(Object.fromEntries(new FormData(event.target)));
        });`,
      'shell.css': 'body { margin: 0 } #form { margin-top: 2000px }',
    },
    {
      journeys: defineJourneys({
        'a lead is sent': [
          type('textbox "Name"', 'Ada'),
          hasValue('textbox "Name"', 'Ada'),
          press('button "Send"'),
          sends('/api/contact', { name: 'Ada' }),
        ],
        'a link scrolls to the end': [scrollsTo('link "Contact"', 'contact')],
      }),
    },
  );
  const form =
    '<form id="form"><p id="status">Ready</p><label>Name <input name="name"></label><i data-consent><input type="checkbox" required title="Yes"></i><button>Send</button></form>';
  const template = String(shell[documentTemplateFile]).replace('<p id="contact">', `${form}$&`);
  return { ...shell, [documentTemplateFile]: template };
}

/** A remote that exposes one component, which consists of these. */
export function remoteWith(
  name: 'mf-leads' | 'mf-pricing',
  version: string,
  components: readonly Component[],
): BuiltPart {
  const all = components.map((component): WholeComponent =>
    typeof component === 'string' ? { code: component } : component,
  );
  const code = all.map((each) => `{ ${each.code ?? ''} }`).join('');
  return compatibleRemote(
    name,
    version,
    {
      [fragmentFile('./first')]: [...new Set(all.map(({ markup = toggle }) => markup))].join(''),
      'entry.js': `window['${name}@${version}'] = (slot) => { ${code} };`,
      'exposed.css': all.map(({ css = '' }) => css).join(''),
      ...(Object.assign({}, ...all.map(({ extra }) => extra)) as BuiltPart),
    },
    {
      journeys: defineJourneys({
        'yearly is chosen': [choose('radio "Yearly"')],
        'more is shown': [press('button "More"'), see('"Plans"')],
        'an early choice stays': {
          page: 'early',
          steps: [choose('radio "Yearly"'), isChosen('radio "Yearly"')],
        },
      }),
    },
  );
}

/** Violations of mf-pricing 1.1.0 with these components, without its name and the remedy that all messages have. */
export async function violationsWith(components: readonly Component[], ...others: readonly BuiltPart[]) {
  const version = remoteWith('mf-pricing', '1.1.0', components);
  const violations = await pageViolationsOf(version, { shell: usedShell(), others });
  return violations.map(
    (violation) => /^mf-pricing 1\.1\.0 (.*)\. Put it right/.exec(violation)?.[1] ?? violation,
  );
}
