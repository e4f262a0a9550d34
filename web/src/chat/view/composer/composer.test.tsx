import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { createPortal } from 'react-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { renderLight } from '../../../testing/render.tsx'
import { drafts, outbox, photos } from '../../model/chat-session.ts'
import { keepRecording } from '../../model/kept-recordings.ts'
import { Composer } from './composer.tsx'

afterEach(() => vi.restoreAllMocks())

test('[ENV-01] a dialog that was opened from the composer does not send the draft', async () => {
  const add = vi.spyOn(outbox, 'add').mockReturnValue(undefined as never)
  const dialog = createPortal(<form aria-label="Points" />, document.body)
  const { user } = renderLight(<Composer code="r1" extra={dialog} />)
  const box = screen.getByLabelText(t('message.write'))
  await user.type(box, 'a draft')
  fireEvent.submit(screen.getByRole('form', { name: 'Points' }))
  expect(add).not.toHaveBeenCalled()
  expect(box).toHaveProperty('value', 'a draft')
  await user.type(box, '{Enter}')
  expect(add).toHaveBeenCalledOnce()
})

test('[CONV-02] a held Enter does not send the draft that takes the place of the sent text', async () => {
  const add = vi.spyOn(outbox, 'add').mockReturnValue(undefined as never)
  const { user } = renderLight(<Composer code="r2" />)
  const box = screen.getByLabelText(t('message.write'))
  await user.type(box, 'a text')
  fireEvent.keyDown(box, { key: 'Enter' })
  act(() => drafts.keep('r2', 'the draft'))
  fireEvent.keyDown(box, { key: 'Enter', repeat: true })
  expect(box).toHaveProperty('value', 'the draft')
  expect(add).toHaveBeenCalledOnce()
})

test('[CONV-12] a recording that was left is shown in its own room, and in no other', async () => {
  URL.createObjectURL = () => 'blob:kept'
  const voice = { ms: 2000, waveform: [1, 2, 3] }
  keepRecording('r3', Promise.resolve({ blob: new Blob(['sound']), voice }))
  const add = vi.spyOn(outbox, 'add').mockReturnValue(undefined as never)
  const other = renderLight(<Composer code="r4" />)
  expect(screen.queryByRole('group', { name: t('message.record') })).toBeNull()
  other.unmount()
  const { user } = renderLight(<Composer code="r3" />)
  await screen.findByText(t('message.record_left'))
  await user.click(screen.getByRole('button', { name: t('message.send_voice') }))
  expect(add).toHaveBeenCalledExactlyOnceWith(
    'r3',
    '',
    expect.objectContaining({ source: expect.objectContaining({ voice }) }),
  )
  expect(screen.queryByText(t('message.record_left'))).toBeNull()
})

/** Where the focus goes after the recording in the room r5 is cancelled: what it is, and whether it can have it. */
const cancelRecording = async (hasMouse: boolean) => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: hasMouse } as MediaQueryList)
  URL.createObjectURL = () => 'blob:kept'
  keepRecording('r5', Promise.resolve({ blob: new Blob(['sound']), voice: { ms: 2000, waveform: [1, 2, 3] } }))
  const { user } = renderLight(<Composer code="r5" />)
  await screen.findByText(t('message.record_left'))
  const gone: boolean[] = []
  document.addEventListener('focusin', ({ target }) => gone.push((target as Element).closest('[hidden]') !== null))
  await user.click(screen.getByRole('button', { name: t('action.cancel') }))
  return { focused: document.activeElement?.getAttribute('aria-label'), isHidden: gone.at(-1) }
}

test('[CONV-12] after a recording the focus is on the text box, on a touch screen on its own button', async () => {
  expect(await cancelRecording(true)).toEqual({ focused: t('message.write'), isHidden: false })
  cleanup()
  expect(await cancelRecording(false)).toEqual({ focused: t('message.record'), isHidden: false })
})

test('[ROOM-07] after a photo is chosen behind "+" the focus is on the "+"', async () => {
  const { user } = renderLight(<Composer code="r6" />)
  const plus = screen.getByRole('button', { name: t('message.add') })
  await user.click(plus)
  const photo = screen.getByRole('button', { name: t('message.add_image') })
  photo.focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(plus)
})

const slip = new File(['bytes'], 'Nguyễn slip.png', { type: 'image/png' })
test.each([
  ['a file alone', {}, true],
  ['a picture of a web page', { 'text/html': '<img src="https://a.example/b.png">' }, true],
  ['a file of Finder, whose name is decomposed', { 'text/plain': slip.name.normalize('NFD') }, true],
  ['a file of Finder with an icon', { 'text/plain': `${slip.name}\n`, 'text/rtf': '{\\rtf1}' }, true],
  ['a file of a file manager', { 'text/plain': '/slips/a.png', 'text/uri-list': 'file:///slips/a.png' }, true],
  ['cells of a spreadsheet', { 'text/plain': '1\t2', 'text/html': '<table></table>' }, false],
  ['words of a document', { 'text/plain': 'Hello', 'text/rtf': '{\\rtf1 Hello}' }, false],
])('[ROOM-07] pasted as a photo or as text: %s', (_, texts: Record<string, string>, isFile) => {
  const added = vi.spyOn(photos, 'add').mockReturnValue(undefined as never)
  renderLight(<Composer code="r7" />)
  const types = [...Object.keys(texts), 'Files']
  const clipboardData = { files: [slip], types, getData: (type: string) => texts[type] ?? '' }
  // False: the browser does not type the text beside the file.
  expect(fireEvent.paste(screen.getByLabelText(t('message.write')), { clipboardData })).toBe(!isFile)
  if (isFile) expect(added).toHaveBeenCalledExactlyOnceWith('r7', [slip], {})
  else expect(added).not.toHaveBeenCalled()
})

test.each([
  ['message.add_image', true],
  ['message.add_file', false],
] as const)('[ROOM-07] the button "%s" takes only images: %s', (key, onlyImages) => {
  const added = vi.spyOn(photos, 'add').mockReturnValue(undefined as never)
  renderLight(<Composer code="r8" />)
  const [input] = screen.getAllByLabelText(t(key)).filter((one) => one instanceof HTMLInputElement)
  fireEvent.change(input as HTMLElement, { target: { files: [slip] } })
  expect(added).toHaveBeenCalledExactlyOnceWith('r8', [slip], { quote: undefined, onlyImages })
})
