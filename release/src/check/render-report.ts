import * as z from 'zod/mini';

/** What a sandbox is given: everything that the page may load is in it. */
export interface RenderJob {
  /** Name of the remote whose slots are looked at. */
  readonly remote: string;
  readonly html: string;
  /** Origin of the site, such as `https://www.example.com`. */
  readonly origin: string;
  /** Path → content in Base64. */
  readonly files: Readonly<Record<string, string>>;
}

/** Why a browser would refuse what a script asks of it. */
export const refusals = {
  'no-hash': 'requested without a hash',
  'unknown-hash': 'requested with a hash that the page does not name',
  'other-content': 'not what its hash says',
  'not-stored': 'not a file of this version',
  inline: 'put into the page as text',
  'policy-name': 'a Trusted Types policy that is not its own',
  'plain-text': 'set without a Trusted Types policy',
} as const;
export type RefusalReason = keyof typeof refusals;

const shortText = z.string().check(z.maxLength(500));

/** What a page showed in the end. The sandbox writes it, so nothing in it is more than a claim of the code that ran there. */
export const renderReport = z.object({
  slots: z.array(z.object({ remote: shortText, version: z.nullable(shortText), blank: z.boolean() })),
  /** What was thrown or logged as an error, in this order. */
  errors: z.array(shortText),
  /** What a browser would have refused. `what`: an address, or the first words of a text. */
  refused: z.array(
    z.object({
      reason: z.enum(Object.keys(refusals) as [RefusalReason, ...RefusalReason[]]),
      what: shortText,
    }),
  ),
});
export type RenderReport = z.infer<typeof renderReport>;

/** Is written as a line of its own before any code of a part runs. The report is the next line. */
export const readyLine = 'ready';
