\set number random(100000000000, 999999999999)
begin;
insert into idempotency_records (key, fingerprint, lead_id, answer_status, created_at, expires_at)
values ('key:' || encode(sha256((:client_id || '-' || :number)::bytea), 'hex'), encode(sha256(:number::text::bytea), 'hex'), gen_random_uuid()::text, 201, '2026-11-21T12:00:00.000Z', '2026-11-22T12:00:00.000Z')
on conflict (key) do nothing;
insert into leads (id, type, name, email, company, message, received_at, status, attribution, release_id, spam_score, spam_reasons)
values (to_char(clock_timestamp(), 'YYYYMMDDHH24MISSUS') || '-' || :client_id || '-' || :number, 'contact', 'Ada Lovelace', 'ada.' || :number || '@example.com', 'Analytical Engines', 'Please show me how templates work. This is request ' || :number || '.', '2026-11-21T12:00:00.000Z', 'new', '{"page":"/?utm_source=letter","utmSource":"letter","releaseId":"2026-11-21-1"}', '2026-11-21-1', 0, '[]');
insert into outbox (id, lead_id, kind, target, state, attempts, next_attempt_at, leased_until, created_at, finished_at)
values (gen_random_uuid()::text, gen_random_uuid()::text, 'sales-mail', '', 'pending', 0, '2026-11-21T12:00:00.000Z', null, '2026-11-21T12:00:00.000Z', null);
commit;
