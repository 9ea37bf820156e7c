/**
 * Baseline of the lead service: a Koa handler that validates a lead and commits the same rows as the service (lead, idempotency
 * record, delivery), in a transaction per lead. It has no rate limits, spam filter, log, metrics, spool or delivery. The lead
 * service creates the tables. On PostgreSQL with `DATABASE_URL`, otherwise on SQLite.
 */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { leadPath } from '@countersign/contracts/lead';
import { leadSubmission, type LeadSubmission } from '@countersign/contracts/lead-submission';
import Router from '@koa/router';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { Pool } from 'pg';
import { environmentWith } from '../platform/config.ts';

const keyLifetime = 24 * 60 * 60_000;

const statements = {
  claim: `insert into idempotency_records (key, fingerprint, lead_id, answer_status, created_at, expires_at)
    values ($1, $2, $3, 201, $4, $5) on conflict (key) do nothing returning lead_id`,
  lead: `insert into leads (id, type, name, email, company, message, search_text, received_at, attribution, release_id, spam_score, spam_reasons)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, '[]')`,
  outbox: `insert into outbox (id, lead_id, kind, target, state, attempts, next_attempt_at, created_at)
    values ($1, $2, 'sales-mail', '', 'pending', 0, $3, $4)`,
};
type Statement = keyof typeof statements;

/** Runs a statement, and returns the number of rows that it returns. */
type Run = (statement: Statement, ...values: (string | null)[]) => Promise<number>;
/** Runs queries in a transaction, which commits if the action returns true. */
type Transaction = (action: (run: Run) => Promise<boolean>) => Promise<void>;

/** Runs an action between the statements of a transaction. */
async function transact(
  execute: (statement: 'begin' | 'commit' | 'rollback') => unknown,
  run: Run,
  action: (run: Run) => Promise<boolean>,
): Promise<void> {
  await execute('begin');
  try {
    await execute((await action(run)) ? 'commit' : 'rollback');
  } catch (error) {
    await execute('rollback');
    throw error;
  }
}

function onPostgres(connectionString: string): Transaction {
  // Same pool size as the lead service: the default of `pg`.
  const pool = new Pool({ connectionString });
  return async (action) => {
    const client = await pool.connect();
    // Named statements are prepared once per connection.
    const run: Run = async (name, ...values) =>
      (await client.query({ name, text: statements[name], values })).rows.length;
    await transact((statement) => client.query(statement), run, action).finally(() => client.release());
  };
}

function onSqlite(directory: string): Transaction {
  const database = new DatabaseSync(join(directory, 'leads.sqlite'));
  database.exec('pragma journal_mode = WAL; pragma synchronous = FULL');
  const prepared = Object.fromEntries(
    Object.entries(statements).map(([name, text]) => [
      name,
      database.prepare(text.replaceAll(/\$\d+/g, '?')),
    ]),
  );
  const run: Run = async (name, ...values) => prepared[name]?.all(...values).length ?? 0;
  // One transaction at a time, because there is one connection.
  let last: Promise<void> = Promise.resolve();
  return (action) => {
    const done = last.then(() => transact((statement) => database.exec(statement), run, action));
    last = done.catch(() => undefined);
    return done;
  };
}

const { DATABASE_URL, DATA_DIR = '.' } = environmentWith({});
const transaction = DATABASE_URL === undefined ? onSqlite(DATA_DIR) : onPostgres(DATABASE_URL);

/** Stores a lead. Returns its id, or `undefined` if the idempotency key was used before, as no key of the benchmark was. */
async function store(key: string, lead: LeadSubmission): Promise<string | undefined> {
  const { name, email, company, message, submissionType, attribution = {} } = lead;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([submissionType, name, email, company, message]))
    .digest('hex');
  const id = randomUUID();
  const now = new Date();
  const at = now.toISOString();
  const expiresAt = new Date(now.getTime() + keyLifetime).toISOString();
  let isNew = false;
  await transaction(async (run) => {
    isNew = (await run('claim', key, fingerprint, id, at, expiresAt)) > 0;
    if (!isNew) return false;
    const release = attribution.releaseId ?? null;
    const searchText = `${name} ${company} ${message}`.normalize('NFKC').toLowerCase();
    const fields = [submissionType, name, email, company || null, message, searchText];
    await run('lead', id, ...fields, at, JSON.stringify(attribution), release);
    await run('outbox', randomUUID(), id, at, at);
    return true;
  });
  return isNew ? id : undefined;
}

const router = new Router();
router.post(leadPath('contact'), koaBody({ jsonLimit: '16kb' }), async (ctx) => {
  const lead = leadSubmission.safeParse(ctx.request.body);
  const key = ctx.get('Idempotency-Key');
  const id = lead.success && key !== '' ? await store(`key:${key}`, lead.data) : undefined;
  ctx.status = id === undefined ? 422 : 201;
  if (id !== undefined) ctx.body = { message: 'Thank you. We will be in touch.', id };
});

const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  // The benchmark reads the port from this line.
  console.log(`listening on http://127.0.0.1:${address.port},`);
});
// The IPC channel to the benchmark closes if the benchmark is aborted.
process.on('disconnect', () => process.exit());
