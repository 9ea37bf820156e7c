import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryLog } from '../testing/memory-log.ts';
import { EventChannel } from './event-channel.ts';

test('a listener that fails is logged, and the publisher and other listeners go on', () => {
  const events = new EventChannel<number>('test');
  const log = createMemoryLog();
  const received: number[] = [];
  using subscriptions = new DisposableStack();
  subscriptions.use(events.subscribe(log, () => assert.fail('no room')));
  subscriptions.use(events.subscribe(log, (event) => received.push(event)));
  events.publish(log, 1);
  assert.deepEqual(received, [1]);
  assert.match(log.lines.join('\n'), /event listener failed \(error=/);
});
