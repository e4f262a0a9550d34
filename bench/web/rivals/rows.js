/** What a list shows at first: as many members as ours has on its page. */
export const rows = Array.from({ length: 25 }, (_, n) => ({
  id: n + 1,
  username: `member${n + 1}`,
  nickname: `Nickname ${n + 1}`,
  balance: ((n * 7919) % 100_000) / 100,
  status: n % 9 ? 'active' : 'frozen',
  created_at: `2026-01-${String(n + 1).padStart(2, '0')} 10:00:00`,
}))
