import { describeAttribution } from '../lead/describe-attribution.ts';
import type { LeadView } from '../lead-admin/lead-view.ts';
import type { LeadFile } from '../lead-admin/read-lead.ts';
import { printTable, shortTime, printable, printableLine } from './output.ts';

const maxWidth = 40;

/** Two lines for each lead, so that the table fits on a narrow terminal together with the id. */
export function printLeads(leads: readonly LeadView[]): void {
  printTable(
    ['Received, id', 'Type, status', 'Who'],
    leads.map((lead) => [
      `${shortTime(lead.receivedAt)}\n${lead.id}`,
      `${lead.type}\n${lead.quarantinedAt === null ? lead.status : 'quarantine'}`,
      `${printableLine(nameAndCompany(lead), maxWidth)}\n${printableLine(lead.email, maxWidth)}`,
    ]),
  );
}

export function describeLead({ lead, deliveries, history }: LeadFile): string {
  const facts: [string, string | null | undefined][] = [
    ['Id', lead.id],
    ['Received', lead.receivedAt],
    ['Type', lead.type],
    ['Status', lead.status],
    ['Quarantine', lead.quarantinedAt && `since ${lead.quarantinedAt}, score ${lead.spamScore}`],
    ['Reasons', lead.spamReasons.join('; ')],
    ['Erased', lead.erasedAt],
    ['Name', lead.name],
    ['E-mail', lead.email],
    ['Company', lead.company],
    ...describeAttribution(lead.attribution),
  ];
  return [
    ...facts.flatMap(([name, value]) => (value ? [`${`${name}:`.padEnd(14)}${printableLine(value)}`] : [])),
    ...(lead.message ? ['', printable(lead.message)] : []),
    ...section(
      'Deliveries',
      deliveries.flatMap(({ id, kind, target, state, tries }) => [
        `${state.padEnd(8)} ${kind}${target && ` ${printableLine(target)}`}  ${id}`,
        ...tries.map(
          ({ number, startedAt, outcome, status, latencyMs, answer }) =>
            `         ${number}. ${shortTime(startedAt)} ${outcome} ${status ?? ''} in ${latencyMs} ms ${printableLine(answer, 80)}`,
        ),
      ]),
    ),
    ...section(
      'History',
      history.map(({ at, actor, action, details }) =>
        printableLine(`${shortTime(at)} ${actor} ${action} ${details}`),
      ),
    ),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function nameAndCompany({ name, company }: LeadView): string {
  return company === null ? name : `${name}, ${company}`;
}
