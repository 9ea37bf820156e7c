import type { Context } from 'koa';
import type * as z from 'zod/mini';
import { StreamError } from '../http/http-error.ts';
import type { AdminContext } from '../lead-admin/admin-context.ts';
import { exportContentTypes, exportStream } from '../lead-admin/export-formats.ts';
import { exportLeads } from '../lead-admin/export-leads.ts';
import type { exportQuery } from './request-schemas.ts';

/** Streams all leads of a filter, as a file, with back-pressure to the database. Throws if the first lead is unreadable. */
export async function answerExport(
  ctx: Context,
  context: AdminContext,
  { format, ...filter }: z.output<typeof exportQuery>,
): Promise<void> {
  const { leads } = await exportLeads(context, filter, format);
  const begun = await begin(leads);
  ctx.attachment(`leads.${format}`);
  ctx.set('Content-Type', exportContentTypes[format]);
  ctx.body = exportStream(begun, format);
}

/** Reads the first item, because only a response that has not begun can become an error answer. */
async function begin<Item>(items: AsyncIterable<Item>): Promise<AsyncIterable<Item>> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* all(): AsyncGenerator<Item> {
    if (first.done === true) return;
    yield first.value;
    try {
      yield* { [Symbol.asyncIterator]: () => iterator };
    } catch (error) {
      throw new StreamError('The stream has failed.', { cause: error });
    }
  }
  return all();
}
