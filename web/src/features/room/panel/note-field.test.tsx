import { NoteStatus } from '@tallyroom/contract/codes'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { memberView, menuPage, ownAccount, roomSummary } from '../../../testing/fixtures.ts'
import { button, renderOffice } from '../../../testing/render.tsx'
import { Shortcuts } from '../page/shortcuts.tsx'
import { useMemberPanel } from './panel.tsx'

const Part = ({ code }: { code: string }) => {
  const { button, panel } = useMemberPanel(roomSummary({ code }))
  return (
    <div className="room-window" data-focus-home=".c-box">
      <textarea className="c-box" aria-label="message" />
      {button}
      {panel}
      <Shortcuts />
    </div>
  )
}

const note = (id: number, title: string) => ({
  id,
  note_id: id,
  room_id: 5,
  member_id: 20,
  title,
  status: NoteStatus.unfinished,
  created_at: '2026-11-20T10:00:00.000Z',
  create_user: 'omar',
  update_user: '',
})
const friend = { member_id: 20, username: 'mia01', nickname: 'Mia' }
const field = () => screen.findByRole('textbox', { name: t('panel.add_note') })

let lastRoom = 0
const open = async () => {
  const drawn = await renderOffice(<Part code={`noted-${++lastRoom}`} />)
  await drawn.user.keyboard('{Alt>}m{/Alt}')
  await waitFor(async () => expect(document.activeElement).toBe(await field()))
  return drawn
}

beforeEach(() => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: !query.includes('max-width'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  server.answers('user/view', ownAccount())
  server.answers('member/view', memberView())
  server.answers('userMenu/list', [menuPage('/transaction/list', { name: 'transaction_log' })])
  server.answers('redEnvelope/record', { data: [], total: 0, next: null })
  server.answers('transaction/list', { data: [], total: 0, next: null })
  server.refuses('account/view', 'account.not_found')
  server.answers('note/list', { data: [note(1, 'Calls at night')], total: 1, friend })
})

test('[CONV-13] a note is one key and its text; the newest are shown with writer and day', async () => {
  const { user } = await open()
  expect(document.querySelector('.panel-notes')?.textContent).toBe('Calls at nightomar, 2026-11-20')
  server.answers('note/add', { note_id: 2 })
  server.answers('note/list', { data: [note(2, 'Pays by phone'), note(1, 'Calls at night')], total: 2, friend })
  await user.keyboard('Pays by phone{Enter}')
  await waitFor(() => expect(document.querySelectorAll('.panel-notes li')).toHaveLength(2))
  expect(server.asked('note/add')).toMatchObject([{ room_id: 5, title: 'Pays by phone' }])
  expect(server.asked('note/add')[0]).not.toHaveProperty('content')
  expect(await field()).toHaveProperty('value', '')
})

test('[CONV-13] the first line is the title, and the whole text the first entry', async () => {
  const { user } = await open()
  server.answers('note/add', { note_id: 2 })
  await user.keyboard('Pays by phone{Shift>}{Enter}{/Shift}after 9 p.m.')
  expect(server.asked('note/add')).toEqual([])
  await user.keyboard('{Enter}')
  await waitFor(() =>
    expect(server.asked('note/add')).toMatchObject([
      { title: 'Pays by phone', content: 'Pays by phone\nafter 9 p.m.' },
    ]),
  )
})

test('[TEXT-02] a title that is too long ends between letters', async () => {
  const { user } = await open()
  server.answers('note/add', { note_id: 2 })
  await user.paste(`${'n'.repeat(198)}🧧 and more`)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(server.asked('note/add')).toMatchObject([{ title: `${'n'.repeat(198)}…` }]))
})

test('[CONV-13] a lost answer keeps the text, and saving it again writes one note', async () => {
  const { user } = await open()
  server.once.losesAnswer('note/add')
  server.answers('note/add', { note_id: 2 })
  await user.keyboard('Pays by phone{Enter}')
  await screen.findByText(t('network.failed'))
  expect(await field()).toHaveProperty('value', 'Pays by phone')
  await user.type(await field(), '{Enter}')
  await waitFor(async () => expect(await field()).toHaveProperty('value', ''))
  const ids = server.asked('note/add').map(({ request_id }) => request_id)
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
})

test('[RIGHT-01] without the right to the transaction log the panel asks for no transfers', async () => {
  server.answers('userMenu/list', [])
  await open()
  await screen.findByText('Calls at night')
  expect([...server.asked('transaction/list'), ...server.asked('redEnvelope/record')]).toEqual([])
  expect(screen.queryByText(t('panel.transfers'))).toBeNull()
})

/** The room, and a button that leaves it and comes back. */
const Leaving = ({ code }: { code: string }) => {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        door
      </button>
      {isOpen && <Part code={code} />}
    </>
  )
}
const leaveWhileSaving = async () => {
  const { user } = await renderOffice(<Leaving code={`noted-${++lastRoom}`} />)
  await user.type(await field(), 'Pays by phone{Enter}')
  await user.click(button('door'))
  await waitFor(() => expect(server.asked('note/add')).toHaveLength(1))
  return () => user.click(button('door'))
}

test('[CONV-13] a note that is saved after the room was left is said, and is not in the field again', async () => {
  const release = server.delays('note/add', { note_id: 2 })
  const comeBack = await leaveWhileSaving()
  release()
  expect(await screen.findByText(t('panel.note_saved'))).toBeTruthy()
  await comeBack()
  expect(await field()).toHaveProperty('value', '')
})

test('[CONV-13] a note that was refused is in the field again when the room is opened again', async () => {
  server.refuses('note/add', 'access.denied')
  const comeBack = await leaveWhileSaving()
  await comeBack()
  expect(await field()).toHaveProperty('value', 'Pays by phone')
})
