import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { noteServerTime } from '../../lib/clock.ts'
import { t } from '../../i18n/i18n.ts'
import { button, field, fill, renderOffice } from '../../testing/render.tsx'
import { DateField } from './date-field.tsx'

const before = process.env.TZ
afterEach(() => {
  process.env.TZ = before
})

/** As the browser's own zone reads and writes it. */
const localTime = (text: string) => {
  const date = new Date(text.replace(' ', 'T'))
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

const draw = async (value: string) => {
  const onChange = vi.fn()
  const drawn = await renderOffice(<DateField label="Start" time value={value} onChange={onChange} />)
  return { ...drawn, onChange }
}

test.each([
  ['America/Santiago', '2026-09-06 00:30'],
  ['Europe/Berlin', '2026-03-29 02:30'],
  ['Africa/Cairo', '2026-04-24 00:15'],
  ['Atlantic/Azores', '2026-03-29 00:45'],
])(
  '[FIRST-05] [HIST-02] in a browser of %s the field shows and takes %s, which is no time there',
  async (zone, skipped) => {
    process.env.TZ = zone
    // This zone does skip it.
    expect(localTime(skipped)).not.toBe(skipped)
    const { onChange, unmount } = await draw(skipped)
    expect(field('Start').value).toBe(skipped)
    unmount()
    const other = await draw('2026-01-15 12:00')
    fireEvent.mouseDown(field('Start'))
    fireEvent.click(field('Start'))
    const ok = await screen.findByRole('button', { name: 'OK' })
    fireEvent.change(field('Start'), { target: { value: skipped } })
    fireEvent.click(ok)
    expect(other.onChange).toHaveBeenCalledExactlyOnceWith(skipped)
    expect(onChange).not.toHaveBeenCalled()
  },
)

test.each([
  '２０２６－１１－２０ ０９：３０',
  '၂၀၂၆-၁၁-၂၀ ၀၉:၃၀',
  '২০২৬–১১–২০ ০৯:৩০',
  '2026‑11‑20\u00a009:30\u200e',
  '\u202a2026-11-20 09:30\u202c',
  '  2026-11-20 09:30',
  '2026-11-20 09:30:45',
])('[HIST-02] %j is taken as the minute that it is', async (typed) => {
  const { onChange, user } = await draw('2026-01-15 12:00')
  await user.click(field('Start'))
  fireEvent.change(field('Start'), { target: { value: typed } })
  await user.keyboard('{Enter}')
  expect(onChange).toHaveBeenCalledExactlyOnceWith('2026-11-20 09:30')
})

test.each(['2026-11-20 09:30:45', '\u200e2026-11-20\u200e'])('[HIST-02] %j is taken as its day', async (typed) => {
  const onChange = vi.fn()
  const { user } = await renderOffice(<DateField label="Day" value="2026-01-15" onChange={onChange} />)
  await user.click(field('Day'))
  fireEvent.change(field('Day'), { target: { value: typed } })
  await user.keyboard('{Enter}')
  expect(onChange).toHaveBeenCalledExactlyOnceWith('2026-11-20')
})

test('[FIRST-05] the calendar marks the day of the server, whatever the device shows', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-11-22T12:00:00Z') })
  noteServerTime(new Date('2026-11-22T12:00:00Z').toUTCString())
  await draw('2026-11-20 00:00')
  fireEvent.mouseDown(field('Start'))
  fireEvent.click(field('Start'))
  await screen.findByRole('button', { name: 'OK' })
  const marked = screen.getAllByRole('gridcell', { current: 'date' }).map((cell) => cell.getAttribute('aria-label'))
  expect(marked).toEqual(['2026-11-22 Sunday'])
})

test.each([
  ['{ArrowDown}', '2026-01-15'],
  ['{ArrowDown}{ArrowLeft}{ArrowUp}', '2026-01-07'],
  ['{ArrowDown}{Home}', '2026-01-11'],
  ['{ArrowDown}{End}', '2026-01-17'],
  ['{ArrowDown}{PageUp}', '2025-12-15'],
  ['{ArrowDown}{PageDown}{ArrowDown}{ArrowDown}{ArrowDown}', '2026-03-08'],
  ['{ArrowDown}{Shift>}{PageDown}{/Shift}', '2027-01-15'],
])('by keyboard, %s leads to %s, and Enter takes it and goes back to the field', async (keys, day) => {
  const { user, onChange } = await draw('2026-01-15 12:40')
  await user.click(field('Start'))
  await user.keyboard(keys)
  expect(document.activeElement?.getAttribute('aria-label')).toContain(day)
  await user.keyboard('{Enter}')
  if (day === '2026-01-15') expect(onChange).not.toHaveBeenCalled()
  else expect(onChange).toHaveBeenCalledExactlyOnceWith(`${day} 12:40`)
  expect(document.activeElement).toBe(field('Start'))
  expect(screen.queryByRole('grid')).toBeNull()
})

test('hour and minute are chosen beside the day, and "Cancel" and Esc keep the value', async () => {
  const { user, onChange } = await draw('2026-01-15 12:40')
  const choose = async () => {
    await user.click(field('Start'))
    await user.click(screen.getByRole('gridcell', { name: /2026-01-20/ }))
    await user.selectOptions(field(t('calendar.hour')), '07')
    await user.selectOptions(field(t('calendar.minute')), '05')
    expect(field('Start').value).toBe('2026-01-20 07:05')
  }
  await choose()
  await user.click(button(t('action.cancel')))
  expect(field('Start').value).toBe('2026-01-15 12:40')
  await choose()
  await user.keyboard('{Escape}')
  expect(field('Start').value).toBe('2026-01-15 12:40')
  expect(onChange).not.toHaveBeenCalled()
  await choose()
  await user.click(button(t('action.ok')))
  expect(onChange).toHaveBeenCalledExactlyOnceWith('2026-01-20 07:05')
})

test('what is typed is taken when the field is left, unless it is no time', async () => {
  const { user, onChange } = await draw('2026-01-15 12:40')
  for (const text of ['2026-02-31 10:00', '2026-02-03', 'soon']) {
    await fill(user, 'Start', text)
    expect(field('Start').getAttribute('aria-invalid')).toBe('true')
    expect(button(t('action.ok'))).toHaveProperty('disabled', true)
    await user.keyboard('{Escape}')
  }
  await fill(user, 'Start', '2026-02-03 10:00')
  await user.click(document.body)
  expect(onChange).toHaveBeenCalledExactlyOnceWith('2026-02-03 10:00')
})
