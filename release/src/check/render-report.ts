import * as z from 'zod/mini';

/** Input of the sandbox, with every file that the page may load. */
export interface RenderJob {
  /** Name of the remote whose slots are checked. */
  readonly remote: string;
  readonly html: string;
  /** Origin of the site, such as `https://www.example.com`. */
  readonly origin: string;
  /** Path → content in Base64. */
  readonly files: Readonly<Record<string, string>>;
  /** Report the texts of the slots. Default: no. */
  readonly readsTexts?: boolean;
}

/** Reasons for which a browser blocks a request of a page. */
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

/** Result of a rendering. Untrusted, because code of the part ran in the process that wrote it. */
export const renderReport = z.object({
  slots: z.array(z.object({ remote: shortText, version: z.nullable(shortText), blank: z.boolean() })),
  /** Exposed key → text of its slot, if the job asks for it. */
  texts: z.optional(z.record(shortText, z.string())),
  /** Thrown and logged errors, in order. */
  errors: z.array(shortText),
  /** Requests that a browser would have blocked. `what`: an address, or the start of a text. */
  refused: z.array(
    z.object({
      reason: z.enum(Object.keys(refusals) as [RefusalReason, ...RefusalReason[]]),
      what: shortText,
    }),
  ),
});
export type RenderReport = z.infer<typeof renderReport>;

/** First line of the output, written before code of a part runs. The second line is the report. */
export const readyLine = 'ready';
