import assert from 'node:assert/strict';
import { hostService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { onEachDatabase } from '../testing/test-databases.ts';

onEachDatabase('a lead', (test) => {
  for (const [type, thanks] of [
    ['trial', 'Thank you. We will be in touch shortly to start your free trial.'],
    ['demo', 'Thank you. We will be in touch shortly to arrange your demo.'],
    ['contact', 'Thank you for your message. We will get back to you shortly.'],
  ] as const) {
    test(`sent to /api/${type} is stored as ${type} and acknowledged`, async (database) => {
      await using app = await hostService(database);

      const answer = await app.post(`/api/${type}`, { ...sampleLead, submissionType: type });

      assert.equal(answer.status, 201);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      const [lead, ...others] = await app.database.leads();
      assert.deepEqual(others, []);
      const { id, receivedAt, ...stored } = lead ?? assert.fail('no lead');
      const { name, email, company, message } = stored;
      assert.deepEqual(await answer.json(), { message: thanks, id });
      assert.deepEqual({ type: stored.type, name, email, company, message }, { type, ...sampleLead });
      assert.equal(new Date(receivedAt).toISOString(), receivedAt);
    });
  }
});
