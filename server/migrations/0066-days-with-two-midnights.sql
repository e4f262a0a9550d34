-- Where clocks are set back from 01:00 to 00:00 (Azores, Cuba), sums began the day with the second midnight, and all else
-- with the first one. The days on both sides are summed again.
with days as (
  select starts, time_zone from summed_spans where not is_month
),
wrong as (
  select starts from days, (values (0), (1)) side (n), lateral (select (starts + n)::timestamp as midnight) local
  where (midnight at time zone time_zone - interval '1 hour') at time zone time_zone = midnight
)
delete from summed_spans s using wrong w
where s.starts = case when s.is_month then date_trunc('month', w.starts)::date else w.starts end;
