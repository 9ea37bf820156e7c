import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';

test('html: text is escaped in elements and attributes; markup, undefined and false are not', () => {
  const hostile = `"><img src=x onerror='alert(1)'>&\u202e\n`;
  const { text } = html`<p title="${hostile}">${[hostile, html`<b>${0}</b>`, undefined, false]}</p>`;
  const escaped = '&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;\\u202e\\u000a';
  assert.equal(text, `<p title="${escaped}">${escaped}<b>0</b></p>`);
});
