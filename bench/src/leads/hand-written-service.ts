/**
 * Baseline of the lead service: a Koa handler that validates a lead and commits the same four rows as the service (lead,
 * idempotency record, two deliveries), in a transaction per lead. It has no rate limits, spam filter, log, metrics, spool or
 * delivery. The lead service creates the tables.
 */
import { createHash, randomUUID } from 'node:crypto';
import { leadPath } from '@countersign/contracts/lead';
import { leadSubmission, type LeadSubmission } from '@countersign/contracts/lead-submission';
import Router from '@koa/router';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { Pool } from 'pg';
import { handWrittenConfig } from '../platform/config.ts';

// Same pool size as the lead service: the default of `pg`.
const pool = new Pool({ connectionString: handWrittenConfig().databaseUrl });
const keyLifetime = 24 * 60 * 60_000;

/** Named statements are prepared once per connection. */
const statements = {
  claim: {
    name: 'claim',
    text: `insert into idempotency_records (key, fingerprint, lead_id, answer_status, created_at, expires_at)
      values ($1, $2, $3, 201, $4, $5) on conflict (key) do nothing`,
  },
  earlier: {
    name: 'earlier',
    text: `select fingerprint, lead_id, answer_status from idempotency_records where key = $1`,
  },
  lead: {
    name: 'lead',
    text: `insert into leads (id, type, name, email, company, message, received_at, status, attribution, release_id, spam_score, spam_reasons)
      values ($1, $2, $3, $4, $5, $6, $7, 'new', $8, $9, 0, '[]')`,
  },
  outbox: {
    name: 'outbox',
    text: `insert into outbox (id, lead_id, kind, target, state, attempts, next_attempt_at, created_at)
      values ($1, $2, 'sales-mail', '', 'pending', 0, $3, $3)`,
  },
} as const;

interface StoreResult {
  readonly status: number;
  /** Missing with 422. */
  readonly leadId?: string;
}

interface EarlierRecord {
  readonly fingerprint: string;
  readonly lead_id: string;
  readonly answer_status: number;
}

/** Stores a lead, or finds the lead with the same idempotency key. */
async function store(key: string, lead: LeadSubmission): Promise<StoreResult> {
  const { name, email, company, message, submissionType, attribution = {} } = lead;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([submissionType, name, email, company, message]))
    .digest('hex');
  const id = randomUUID();
  const now = new Date();
  const receivedAt = now.toISOString();
  const expiresAt = new Date(now.getTime() + keyLifetime).toISOString();
  const client = await pool.connect();
  try {
    await client.query('begin');
    const claim = await client.query(statements.claim, [key, fingerprint, id, receivedAt, expiresAt]);
    if (claim.rowCount === 0) {
      await client.query('rollback');
      const { rows } = await client.query<EarlierRecord>(statements.earlier, [key]);
      const [earlier] = rows;
      return earlier?.fingerprint === fingerprint
        ? { status: earlier.answer_status, leadId: earlier.lead_id }
        : { status: 422 };
    }
    await client.query(statements.lead, [
      id,
      submissionType,
      name,
      email,
      company || null,
      message,
      receivedAt,
      JSON.stringify(attribution),
      attribution.releaseId ?? null,
    ]);
    await client.query(statements.outbox, [randomUUID(), id, receivedAt]);
    await client.query('commit');
    return { status: 201, leadId: id };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const router = new Router();
router.post(leadPath('contact'), koaBody({ jsonLimit: '16kb' }), async (ctx) => {
  const lead = leadSubmission.safeParse(ctx.request.body);
  const key = ctx.get('Idempotency-Key');
  if (!lead.success || key === '') {
    ctx.status = 422;
    return;
  }
  const { status, leadId } = await store(`key:${key}`, lead.data);
  ctx.status = status;
  if (leadId !== undefined) ctx.body = { message: 'Thank you. We will be in touch.', id: leadId };
});

const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  // The benchmark reads the port from this line.
  console.log(`listening on http://127.0.0.1:${address.port},`);
});
// The channel to the benchmark closes when that is aborted.
process.on('disconnect', () => process.exit());
