import type { Context } from 'koa';
import type { Desk } from '../sales/desk.ts';
import { exportContentTypes, exportFormats, exportStream } from '../sales/export-formats.ts';
import { exportLeads } from '../sales/export-leads.ts';
import { choice, parseLeadFilter } from '../sales/lead-filter.ts';

/** Answers with all leads of the filter in the query, as a file, read from the database as fast as it is taken. */
export async function answerExport(ctx: Context, desk: Desk): Promise<void> {
  const { format: word, ...words } = ctx.query;
  const format = choice('format', word, exportFormats) ?? 'csv';
  const { leads } = await exportLeads(desk, parseLeadFilter(words), format);
  ctx.attachment(`leads.${format}`);
  ctx.set('Content-Type', exportContentTypes[format]);
  ctx.body = exportStream(leads, format);
}
