import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { AnswerableError } from '../../errors.ts';
import * as errors from '../../errors.ts';
import type { Intake } from '../../intake.ts';
import { problemType } from '../../problem-type.ts';
import { assertDescribed, described, document, validatorOf } from '../../testing/described-answers.ts';
import { sampleLead } from '../../testing/sample-lead.ts';
import { serveIntake } from '../../testing/served-app.ts';
import { errorCatalogue } from './error-catalogue.ts';

const { Ruleset, Spectral } = spectralCore;
const { oas } = spectralRulesets;

/** Answers as the real one may, by the name of the sender. */
const intake: Intake = {
  async accept({ lead }) {
    const error = errorCatalogue.find(({ id }) => id === lead.name);
    if (error !== undefined) throw error;
    const spooled = lead.name === 'Spooled';
    return { leadId: lead.id, type: lead.type, status: spooled ? 202 : 201, replayed: spooled };
  },
};

describe('the description of all addresses', () => {
  test('is valid OpenAPI 3.1, and is served', async () => {
    await using app = await serveIntake(intake);
    const served = await (await fetch(`${app.url}/api/openapi.json`)).json();
    assert.deepEqual(served, JSON.parse(JSON.stringify(document)));
    assert.deepEqual(await new Validator().validate(served), { valid: true });
  });

  test('OpenAPI document: the recommended rules of Redocly find no error', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    const errors = problems.filter(({ severity, ignored }) => severity === 'error' && !ignored);
    assert.deepEqual(
      errors.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      [],
    );
  });

  test('OpenAPI document: the recommended rules of Spectral find nothing', async () => {
    const spectral = new Spectral();
    spectral.setRuleset(new Ruleset(oas, { severity: 'recommended' }));
    const problems = await spectral.run(JSON.parse(JSON.stringify(document)));
    assert.deepEqual(
      problems.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`),
      [],
    );
  });

  test('knows every error that there is', () => {
    const factories = Object.keys(errors).filter((name) => name !== AnswerableError.name);
    assert.equal(errorCatalogue.length, factories.length, factories.join());
    const ids = new Set(errorCatalogue.map(({ id }) => id));
    assert.equal(ids.size, errorCatalogue.length);
  });

  test('describes each answer to a lead as it comes, as text and as a problem document', async () => {
    await using app = await serveIntake(intake);
    for (const accept of ['*/*', 'application/problem+json']) {
      for (const { id, status } of errorCatalogue.filter(
        (error) => !/^(unknown-path|method|malformed-report|too-many-reports)/.test(error.id),
      )) {
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

  test('describes what a caller can do wrong as it is answered', async () => {
    await using app = await serveIntake(intake);
    const faults: [unknown, Record<string, string>, number][] = [
      ['{', {}, 400],
      [sampleLead, { 'idempotency-key': 'bare' }, 400],
      [sampleLead, { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }, 403],
      [{ ...sampleLead, message: 'm'.repeat(20_000) }, {}, 413],
      [sampleLead, { 'content-type': 'text/plain' }, 415],
      [{ ...sampleLead, email: 'none' }, {}, 422],
    ];
    for (const [body, headers, status] of faults) {
      const accept = 'application/problem+json';
      const answer = await app.post('/api/trial', body, { ...headers, accept });
      assert.equal(answer.status, status);
      await assertDescribed('/api/trial', 'post', answer);
    }
  });

  test('describes the other addresses as they answer', async () => {
    await using app = await serveIntake(intake);
    for (const path of ['/api/form-token', '/api/demo/thanks', '/healthz', '/api/openapi.json']) {
      await assertDescribed(path, 'get', await fetch(app.url + path));
    }
  });

  test('says which addresses scripts of other sites may use, and how they are told', async () => {
    const partner = 'https://partner.example';
    await using app = await serveIntake(intake, { abuse: { allowedOrigins: [partner] } });
    const ask = (path: string, origin: string) =>
      fetch(app.url + path, { method: 'OPTIONS', headers: { origin, accept: 'application/problem+json' } });
    for (const [path, operations] of Object.entries(described)) {
      const allowed = await ask(path, partner);
      assert.equal(allowed.status === 204, operations['options'] !== undefined, path);
      if (allowed.status !== 204) continue;
      await assertDescribed(path, 'options', allowed);
      const named = Object.keys(operations['options']?.responses['204']?.headers ?? {});
      for (const permission of [...allowed.headers.keys()].filter((name) => name.startsWith('access-'))) {
        assert.ok(
          named.some((name) => name.toLowerCase() === permission),
          permission,
        );
      }
      await assertDescribed(path, 'options', await ask(path, 'https://elsewhere.example'));
    }
  });

  test('takes and refuses the leads that the service takes and refuses', async () => {
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

  test('names an error by the address that its problem document has', async () => {
    await using app = await serveIntake(intake);
    const answer = await fetch(`${app.url}/nothing`, { headers: { accept: 'application/problem+json' } });
    assert.equal(((await answer.json()) as { type: string }).type, problemType('unknown-path'));
  });
});
