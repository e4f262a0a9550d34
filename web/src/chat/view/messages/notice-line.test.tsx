import { afterEach, expect, test } from 'vitest'
import { setTimeZone, timeZone } from '../../../i18n/time.ts'
import { eventMessage, message, noticeMessage } from '../../../testing/message-fixtures.ts'
import { renderLight } from '../../../testing/render.tsx'
import { Announcer } from './announcer.tsx'
import { itemsOf } from './items.ts'
import { NoticeLine, noticeText, spokenNotice } from './notice-line.tsx'

const before = timeZone()
afterEach(() => setTimeZone(before))

test('[DESK-06] each reader has its own language, else the group’s, else English', () => {
  setTimeZone('UTC')
  const notice = noticeMessage()
  expect(noticeText(notice, 'en')).toMatch(/^We open 2026-11-30 09:00/)
  expect(noticeText(notice, 'my')).toMatch(/^เปิด 2026-11-30 09:00/)
  expect(noticeText({ ...notice, language: 'ru' }, 'my')).toMatch(/^We open/)
  expect(noticeText({ ...notice, opens: null }, 'en')).toBe('We open –.')
})

test('[DESK-06] the time is in the zone of the platform, and named while the device has another', () => {
  setTimeZone('Asia/Kathmandu')
  const { container } = renderLight(<NoticeLine message={noticeMessage()} />)
  expect(container.textContent).toContain('We open 2026-11-30 14:45 UTC+5:45 (Asia/Kathmandu).')
})

test('[DESK-06] a notice is read out to the member, unlike an event line', () => {
  const first = message({ message_id: 'first' })
  const view = (...more: Parameters<typeof itemsOf>[0]) => (
    <Announcer
      items={itemsOf([first, ...more], [], false)}
      asideSeq={0}
      asideText={undefined}
      face="member"
      authorOf={({ nickname }) => nickname}
    />
  )
  const { container, rerender } = renderLight(view())
  const line = eventMessage({ message_id: 'line', seq: 2, nickname: '' })
  rerender(view(line, noticeMessage({ message_id: 'notice', seq: 3, texts: { en: 'Welcome' } })))
  expect(container.querySelector('[aria-live=polite]')?.textContent).toBe('Welcome')
})

test('[API-04] a platform’s notice says whose it is, in its own words, with links and line breaks', () => {
  const notice = noticeMessage({
    nickname: 'Cashier',
    content: 'Paid at {opens}.\nhttps://pay.example/1',
    texts: { en: 'Paid at {opens}.' },
    opens: null,
  })
  const { container } = renderLight(<NoticeLine message={notice} />)
  expect(container.querySelector('b')?.textContent).toBe('Notice from Cashier')
  expect(container.querySelector('.c-text')?.textContent).toBe('Paid at {opens}.\nhttps://pay.example/1')
  expect(container.querySelector('a')?.href).toBe('https://pay.example/1')
  const said = spokenNotice(
    { ...notice, content: 'Paid.' },
    'en',
    (key, values) => `${key} ${Object.values(values ?? {}).join(', ')}`,
  )
  expect(said).toBe('message.said room.notice_from Cashier, Paid.')
})
