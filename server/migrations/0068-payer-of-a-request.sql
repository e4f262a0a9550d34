-- SR02 counts points that a member asked for under the person who paid the request. Its rows lead to them by this index.
create index cash_requests_payer on cash_requests (ended_by, ended_at) where state = 'paid' and direction = 'out';

-- Days on which one was paid, and their months, are summed again; the others stay as they are.
with paid as (
  select distinct z.time_zone, (c.ended_at at time zone z.time_zone)::date as day
  from cash_requests c, (select distinct time_zone from summed_spans) z where c.state = 'paid' and c.direction = 'out'
)
delete from summed_spans s using paid p
where s.time_zone = p.time_zone and s.starts = case when s.is_month then date_trunc('month', p.day)::date else p.day end;
update summed_spans set kinds = 7 where kinds = 6;
