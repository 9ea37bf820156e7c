import * as z from 'zod/mini';
import { leadStatuses } from '../database/tables.ts';
import { exportFormats } from '../lead-admin/export-formats.ts';
import { choice, leadFilter } from '../lead-admin/lead-filter.ts';
import { maxListed } from '../lead-admin/list-leads.ts';

const defaultLimit = 50;

/** Schema of a text. @param missing message for a missing text, if there is a special one */
export function textOf(name: string, missing?: string) {
  const single = `${name} must be a single string.`;
  return z
    .string({ error: ({ input }) => ((input ?? undefined) === undefined ? (missing ?? single) : single) })
    .check(
      // PostgreSQL does not support NUL in text.
      z.refine((text) => !text.includes('\0'), `${name} must not contain the character NUL.`),
    );
}

const limitMessage = `limit must be a whole number from 1 to ${maxListed}.`;

/** Accepts digits as well, because query parameters are text. */
const limit = z
  ._default(
    z.pipe(
      z.transform((value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)),
      z.int(limitMessage).check(z.gte(1, limitMessage), z.lte(maxListed, limitMessage)),
    ),
    defaultLimit,
  )
  .check(z.meta({ description: 'Page size.', default: defaultLimit }));

const after = textOf('after').check(z.describe('Id of the last entry of the previous page.'));

export const pageQuery = z.object({ limit, after: z.optional(after) });

const searchMessage = 'Enter a search text.';
export const searchBody = z.object({
  ...leadFilter('with').shape,
  text: textOf('text', searchMessage).check(z.minLength(1, searchMessage)),
  limit,
  after: z.nullish(after),
});

export const leadParams = z.object({ id: textOf('id') });

const statusMessage = `status must be ${leadStatuses.join(', ')}.`;
export const statusBody = z.object({
  status: z.enum(leadStatuses, {
    // Says first whether it is a text at all.
    error: ({ input }) =>
      textOf('status', statusMessage).safeParse(input).error?.issues[0]?.message ?? statusMessage,
  }),
});

export const exportQuery = z.object({
  format: z.pipe(
    choice('format', exportFormats),
    z.transform((format) => format ?? 'csv'),
  ),
  ...leadFilter('without').shape,
});

const idsMessage = 'Name the dead letters in "ids", or send "all": true.';
const someLetters = z.object({ ids: z.array(textOf('id'), idsMessage).check(z.minLength(1, idsMessage)) });
export const replayBody = z.union([z.object({ all: z.literal(true) }), someLetters], {
  // Names what is wrong with the ids.
  error: ({ input }) => someLetters.safeParse(input).error?.issues[0]?.message,
});
