\set number random(100000000000, 999999999999)
insert into leads (id, type, name, email, company, message, received_at, status, attribution, release_id, spam_score, spam_reasons)
values (to_char(clock_timestamp(), 'YYYYMMDDHH24MISSUS') || '-' || :client_id || '-' || :number, 'contact', 'Ada Lovelace', 'ada.' || :number || '@example.com', 'Analytical Engines', 'Please show me how templates work. This is request ' || :number || '.', '2026-11-21T12:00:00.000Z', 'new', '{"page":"/?utm_source=letter","utmSource":"letter","releaseId":"2026-11-21-1"}', '2026-11-21-1', 0, '[]');
