import { fireEvent, screen } from '@testing-library/react'
import dayjs from 'dayjs'
import { afterEach, expect, test, vi } from 'vitest'
import { noteServerTime } from '../../lib/clock.ts'
import { field, renderOffice } from '../../testing/render.tsx'
import { DateField } from './date-fields.tsx'

const before = process.env.TZ
afterEach(() => {
  process.env.TZ = before
})

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
    expect(dayjs(skipped).format('YYYY-MM-DD HH:mm')).not.toBe(skipped)
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

test('[FIRST-05] the calendar marks the day of the server, whatever the device shows', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-11-22T12:00:00Z') })
  noteServerTime(new Date('2026-11-22T12:00:00Z').toUTCString())
  await draw('2026-11-20 00:00')
  fireEvent.mouseDown(field('Start'))
  fireEvent.click(field('Start'))
  await screen.findByRole('button', { name: 'OK' })
  const marked = [...document.querySelectorAll('.ant-picker-cell-today')].map((cell) => cell.getAttribute('title'))
  expect(marked).toEqual(['2026-11-22'])
})
