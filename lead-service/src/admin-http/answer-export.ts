import type { Context } from 'koa';
import type * as z from 'zod/mini';
import type { AdminContext } from '../lead-admin/admin-context.ts';
import { exportContentTypes, exportStream } from '../lead-admin/export-formats.ts';
import { exportLeads } from '../lead-admin/export-leads.ts';
import type { exportQuery } from './request-schemas.ts';

/** Streams all leads of a filter, as a file, with back-pressure to the database. */
export async function answerExport(
  ctx: Context,
  context: AdminContext,
  { format, ...filter }: z.output<typeof exportQuery>,
): Promise<void> {
  const { leads } = await exportLeads(context, filter, format);
  ctx.attachment(`leads.${format}`);
  ctx.set('Content-Type', exportContentTypes[format]);
  ctx.body = exportStream(leads, format);
}
