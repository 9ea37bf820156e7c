import { leadTypes } from '@countersign/contracts/lead-form';
import { Counter, Gauge, Histogram } from 'prom-client';

/* Metrics of events, in the registry of the process. Labels have low cardinality and no personal data. */

export const acceptedLeads = new Counter({
  name: 'leads_accepted_total',
  help: 'Acknowledged leads: new ones (stored, or quarantined as spam), spooled, and repeated requests.',
  labelNames: ['type', 'result'],
});
// From 0, because Prometheus counts nothing of the first value of a series. The alarm `LeadsStopped` reads only these results.
for (const type of leadTypes) {
  for (const result of ['stored', 'spooled']) acceptedLeads.inc({ type, result }, 0);
}

export const refusedRequests = new Counter({
  name: 'requests_refused_total',
  help: 'Requests answered with an error, by the last part of its problem type.',
  labelNames: ['cause'],
});

export const retentionTime = new Gauge({
  name: 'retention_time_seconds',
  help: 'Time of the last complete retention run, in seconds since the epoch; at first, of the start.',
});

export const leadCommits = new Histogram({
  name: 'lead_commit_seconds',
  help: 'Duration of the commit of a batch of leads.',
  labelNames: ['place'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

export const deliveryAttempts = new Histogram({
  name: 'delivery_attempt_seconds',
  help: 'Duration of a delivery attempt: delivered, failed (to be retried), or dead (no retry is left).',
  labelNames: ['kind', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
});
