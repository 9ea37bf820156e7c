import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { apiDocument } from '../app.ts';
import type { Intake } from '../intake/intake.ts';
import { assertDescribed, described, validatorOf } from '../testing/described-answers.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveIntake } from '../testing/served-app.ts';
import * as errors from './errors.ts';

const leadErrors = [
  errors.malformedBody(),
  errors.malformedIdempotencyKey(),
  errors.foreignOrigin(),
  errors.inFlight(),
  errors.bodyTooLarge(64 * 1024),
  errors.notJson(),
  errors.invalidLead([]),
  errors.keyReused(),
  errors.tooManyLeads(60),
  errors.unexpected(undefined),
  errors.storeUnavailable(),
];

/** A fake intake that selects its answer by the name of the sender. */
const intake: Intake = {
  async accept({ lead }) {
    const error = leadErrors.find(({ id }) => id === lead.name);
    if (error !== undefined) throw error;
    const spooled = lead.name === 'Spooled';
    return { leadId: lead.id, type: lead.type, status: spooled ? 202 : 201, replayed: spooled };
  },
};

describe('OpenAPI document', () => {
  test('the served document is valid OpenAPI 3.1, and the recommended rules find no error', async () => {
    await using app = await serveIntake(intake);
    const served = await (await fetch(`${app.url}/api/openapi.json`)).json();
    assert.deepEqual(served, apiDocument());
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(served), config });
    const errors = problems.filter(({ severity, ignored }) => severity === 'error' && !ignored);
    assert.deepEqual(
      errors.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      [],
    );
  });

  test('every answer to a lead matches the document', async () => {
    await using app = await serveIntake(intake);
    for (const accept of ['*/*', 'application/problem+json']) {
      for (const { id, status } of leadErrors) {
        const answer = await app.post('/api/trial', { ...sampleLead, name: id }, { accept });
        assert.equal(answer.status, status);
        await assertDescribed('/api/trial', 'post', answer);
      }
    }
    for (const name of ['Ada', 'Spooled']) {
      await assertDescribed('/api/demo', 'post', await app.post('/api/demo', { ...sampleLead, name }));
    }
    const body = new URLSearchParams(sampleLead);
    const form = await fetch(`${app.url}/api/contact`, { method: 'POST', body, redirect: 'manual' });
    assert.equal(form.status, 303);
    await assertDescribed('/api/contact', 'post', form);
  });

  test('every error page matches the document', async () => {
    await using app = await serveIntake(intake);
    for (const { id, status } of leadErrors) {
      const body = new URLSearchParams({ ...sampleLead, name: id });
      const headers = { accept: 'text/html' };
      const answer = await fetch(`${app.url}/api/trial`, { method: 'POST', headers, body });
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      await assertDescribed('/api/trial', 'post', answer);
    }
  });

  test('answers of the other paths match the document', async () => {
    await using app = await serveIntake(intake);
    for (const path of ['/api/demo/thanks', '/healthz', '/api/openapi.json']) {
      await assertDescribed(path, 'get', await fetch(app.url + path));
    }
  });

  test('CORS answers match the document', async () => {
    const partner = 'https://partner.example';
    await using app = await serveIntake(intake, { ALLOWED_ORIGINS: partner });
    const ask = (path: string, origin: string) =>
      fetch(app.url + path, { method: 'OPTIONS', headers: { origin, accept: 'application/problem+json' } });
    let answers = 0;
    for (const [path, operations] of Object.entries(described)) {
      const allowed = await ask(path, partner);
      assert.equal(allowed.status === 204, operations['options'] !== undefined, path);
      if (allowed.status !== 204) continue;
      await assertDescribed(path, 'options', allowed);
      assert.equal(allowed.headers.get('access-control-allow-origin'), partner);
      const named = Object.keys(operations['options']?.responses['204']?.headers ?? {});
      for (const permission of [...allowed.headers.keys()].filter((name) => name.startsWith('access-'))) {
        assert.ok(
          named.some((name) => name.toLowerCase() === permission),
          permission,
        );
      }
      await assertDescribed(path, 'options', await ask(path, 'https://elsewhere.example'));
      answers += 1;
    }
    assert.notEqual(answers, 0);
  });

  test('the lead schema accepts exactly the leads that the service accepts', async () => {
    await using app = await serveIntake(intake);
    const validate = validatorOf('components', 'schemas', 'LeadSubmission') ?? assert.fail();
    for (const lead of [
      sampleLead,
      { ...sampleLead, company: undefined },
      { ...sampleLead, name: 'A' },
      { ...sampleLead, email: 'ada@' },
      { ...sampleLead, message: 'Hello' },
      { ...sampleLead, company: 5 },
      { ...sampleLead, submissionType: 'order' },
    ]) {
      const sent: unknown = JSON.parse(JSON.stringify(lead));
      assert.equal(validate(sent), (await app.post('/api/trial', sent)).status === 201, JSON.stringify(lead));
    }
  });
});
