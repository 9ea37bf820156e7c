import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billOfMaterialsFile } from '@countersign/contracts/part-manifest';
import { builtRemote } from '../testing/built-part.ts';
import { createReleaser } from '../testing/releaser.ts';
import { failsWith, succeedsWith } from '../testing/run-release.ts';

test('sbom: prints the bill of materials of a build, also if its part.json does not list it', async () => {
  await using releaser = await createReleaser();
  const text = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [] }, null, 2);
  const files = ['entry.js', 'exposed.js', 'exposed.css'];
  await releaser.publish(
    'mf-pricing',
    builtRemote('mf-pricing', '1.0.0', { [billOfMaterialsFile]: text }, { files }),
  );
  const sbom = (...words: readonly string[]) => releaser.run(['sbom', 'mf-pricing', ...words]);
  assert.deepEqual(await sbom('1.0.0'), succeedsWith(text));
  assert.deepEqual(JSON.parse((await sbom('1.0.0', '--json')).stdout), JSON.parse(text));

  await releaser.publish('mf-pricing', builtRemote('mf-pricing', '1.1.0'));
  assert.deepEqual(
    await sbom('1.1.0'),
    failsWith(
      'mf-pricing 1.1.0 has no bill of materials. Add sbom.cdx.json to its build, and publish a new version.',
    ),
  );
  assert.deepEqual(
    await sbom(),
    failsWith('mf-pricing is not live. Name one of its published versions: 1.0.0, 1.1.0.'),
  );
});

test('publish: a bill of materials in another format is refused', async () => {
  await using releaser = await createReleaser();
  for (const text of ['', '{"spdxVersion":"SPDX-2.3"}']) {
    const { code, stderr } = await releaser.publish(
      'mf-pricing',
      builtRemote('mf-pricing', '1.0.0', { [billOfMaterialsFile]: text }),
    );
    assert.equal(code, 1);
    assert.match(
      stderr,
      /holds sbom\.cdx\.json, which is not CycloneDX in JSON\. Write it in this format, or remove it\.\n$/,
    );
  }
});
