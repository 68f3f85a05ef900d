-- When a sandbox's clock goes back, and every ten seconds after that, what was put off beyond it is
-- looked for. Of a million open payments that is hardly any: work that was tried and failed, and
-- endpoints that are probed again. Without these, all of them are read each time.
create index payment_put_off on payment (due_at) where tries > 0;
create index webhook_endpoint_by_probe on webhook_endpoint (probe_at) where probe_at is not null;
