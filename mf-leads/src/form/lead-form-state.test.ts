import { initialState, nextFormState, noticeOf, type LeadFormEvent } from './lead-form-state.ts';

const submitted: LeadFormEvent = { type: 'submitted', hasLogic: false, isOffline: false };
const submittedOffline: LeadFormEvent = { ...submitted, isOffline: true };
const sending: LeadFormEvent = { type: 'logicChanged', isSending: true };
const ready: LeadFormEvent = { type: 'logicChanged', isSending: false };
const failed: LeadFormEvent = { type: 'logicFailed' };
const returned: LeadFormEvent = { type: 'returned' };

test.each<[string, readonly LeadFormEvent[], string, string, number]>([
  ['needs its logic when it is used', [{ type: 'used' }], 'idle', 'needed', 0],
  ['waits for its logic after a submit', [submitted], 'waitingForLogic', 'needed', 1],
  ['is editable again when the logic takes over', [submitted, ready], 'idle', 'needed', 1],
  ['sends with its logic', [submitted, ready, sending], 'sending', 'needed', 1],
  ['leaves if the logic fails while a submit waits', [submitted, failed], 'leaving', 'failed', 1],
  ['stays if the logic fails and nothing waits', [{ type: 'used' }, failed], 'idle', 'failed', 0],
  ['is editable if no page has replaced it', [submitted, failed, { type: 'stayed' }], 'idle', 'failed', 1],
  ['tells of the browser’s request until the next submit', [returned, ready], 'sentByBrowser', 'unneeded', 0],
  ['waits again after a return', [returned, submitted], 'waitingForLogic', 'needed', 1],
])('the form %s', (_claim, events, phase, code, submitCount) => {
  expect(events.reduce(nextFormState, initialState(false))).toMatchObject({ phase, code, submitCount });
});

test('the form says that it waits for a network, until there is one', () => {
  const offline = nextFormState(initialState(true), submittedOffline);
  expect(noticeOf(offline)?.message).toMatch(/^There is no internet connection\./);
  expect(noticeOf(nextFormState(offline, { type: 'networkChanged', isOffline: false }))).toBeUndefined();
});
