import { createBrowserHistory, Link } from '@tanstack/react-router'
import { screen, waitFor } from '@testing-library/react'
import { StrictMode, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { routerWindow } from '../../adapters/router-history.ts'
import { t } from '../../i18n/i18n.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { useOpened } from '../use-opened.ts'
import { startCloseOnBack } from './close-on-back.ts'
import { Dialog } from './dialog.tsx'
import { SideDrawer } from './side-drawer.tsx'

let ends: (() => void)[] = []
beforeEach(() => window.history.pushState(null, '', '/before'))
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Says whether it has changes, or leaves it to what was typed. */
const Note = ({ onClose, says = true }: { onClose: () => void; says?: boolean }) => {
  const [text, setText] = useState('')
  const [step, setStep] = useState(1)
  return (
    <Dialog
      title="note"
      onClose={onClose}
      {...(step === 2 ? { onBack: () => setStep(1) } : {})}
      {...(says ? { hasChanges: text !== '' } : {})}
      buttons={
        <button type="button" onClick={() => setStep(2)}>
          next
        </button>
      }
    >
      <input aria-label="text" value={text} onChange={(event) => setText(event.target.value)} />
      <p>step {step}</p>
    </Dialog>
  )
}

const Page = () => {
  const [open, setOpen] = useState<readonly string[]>([])
  const { opened, open: openRow, close } = useOpened('request')
  const show = (name: string) => (
    <button type="button" onClick={() => setOpen([...open, name])}>
      {name}
    </button>
  )
  const hide = (name: string) => () => setOpen((now) => now.filter((one) => one !== name))
  return (
    <>
      {show('open drawer')}
      <button type="button" onClick={() => openRow(7)}>
        open row
      </button>
      {open.includes('open drawer') && (
        <SideDrawer title="drawer" phone="90%" onClose={hide('open drawer')}>
          about it {show('open note')}
          <Link to={'/other' as never}>other page</Link>
        </SideDrawer>
      )}
      {opened && (
        <SideDrawer title="row" isInAddress phone="90%" onClose={close}>
          row {opened} {show('open note')}
          <button type="button" onClick={() => [hide('open note')(), close()]}>
            close all
          </button>
        </SideDrawer>
      )}
      {show('open transfer')}
      {open.includes('open note') && <Note onClose={hide('open note')} />}
      {open.includes('open transfer') && <Note says={false} onClose={hide('open transfer')} />}
    </>
  )
}

const onPop = vi.fn<() => void>()

const start = async () => {
  window.addEventListener('popstate', onPop, { capture: true })
  const history = createBrowserHistory({ window: routerWindow() })
  history.push('/page')
  history.flush()
  const stop = startCloseOnBack(history)
  ends = [stop, () => history.destroy(), () => window.removeEventListener('popstate', onPop, { capture: true })]
  const view = await renderOffice(
    <StrictMode>
      <Page />
    </StrictMode>,
    { path: '/page', history },
  )
  const loads = vi.spyOn(view.router, 'load')
  return { ...view, loads }
}
/** Resolves when our entry is where it belongs. */
const isAbove = (is: boolean) =>
  waitFor(() => expect((window.history.state as { isOverlay?: boolean } | null)?.isOverlay ?? false).toBe(is))
const hasPage = (path: string) => waitFor(() => expect(window.location.pathname + window.location.search).toBe(path))

test('"back" closes a drawer, and the page is not loaded again', async () => {
  const { user, loads } = await start()
  await user.click(button('open drawer'))
  await isAbove(true)
  window.history.back()
  await waitFor(() => expect(screen.queryByText('about it')).toBeNull())
  await isAbove(false)
  expect(loads).not.toHaveBeenCalled()
  window.history.back()
  await hasPage('/before')
})

test('the cross takes the entry away again', async () => {
  const { user } = await start()
  await user.click(button('open drawer'))
  await isAbove(true)
  await user.click(button(t('action.close')))
  await isAbove(false)
  window.history.back()
  await hasPage('/before')
})

test('of a dialog over a drawer, "back" closes the dialog only', async () => {
  const { user } = await start()
  await user.click(button('open drawer'))
  await user.click(button('open note'))
  await isAbove(true)
  window.history.back()
  await waitFor(() => expect(screen.queryByText('step 1')).toBeNull())
  expect(screen.getByText(/about it/)).toBeTruthy()
  await isAbove(true)
  window.history.back()
  await waitFor(() => expect(screen.queryByText(/about it/)).toBeNull())
  await hasPage('/page')
})

test.each(['open note', 'open transfer'])(
  '"%s": back is a step with what was typed, then asks, then closes',
  async (name) => {
    const { user } = await start()
    await user.click(button('open drawer'))
    await user.click(button(name))
    await user.type(screen.getByLabelText('text'), 'typed')
    await user.click(button('next'))
    await isAbove(true)
    window.history.back()
    await screen.findByText('step 1')
    await isAbove(true)
    window.history.back()
    await screen.findByText(t('dialog.unsaved'))
    expect(screen.getByLabelText<HTMLInputElement>('text').value).toBe('typed')
    await isAbove(true)
    window.history.back()
    await waitFor(() => expect(screen.queryByText('step 1')).toBeNull())
  },
)

test('a link in a drawer takes the place of its entry: "back" leads to the page, "forward" to the link again', async () => {
  const { user } = await start()
  await user.click(button('open drawer'))
  await isAbove(true)
  await user.click(screen.getByText('other page'))
  await hasPage('/other')
  window.history.back()
  await hasPage('/page')
  expect(await screen.findByText('open drawer')).toBeTruthy()
  await isAbove(false)
  window.history.forward()
  await hasPage('/other')
})

test('"forward" to the entry of a closed drawer leads back at once', async () => {
  const { user } = await start()
  await user.click(button('open drawer'))
  await isAbove(true)
  window.history.back()
  await isAbove(false)
  const pops = onPop.mock.calls.length
  window.history.forward()
  await waitFor(() => expect(onPop.mock.calls.length).toBe(pops + 2))
  await isAbove(false)
  await hasPage('/page')
})

test('what the address opens is closed by "back" below a dialog, and both at once by the page', async () => {
  const { user } = await start()
  await user.click(button('open row'))
  await hasPage('/page?request=7')
  await user.click(button('open note'))
  await isAbove(true)
  window.history.back()
  await waitFor(() => expect(screen.queryByText('step 1')).toBeNull())
  expect(screen.getByText(/row 7/)).toBeTruthy()
  await user.click(button('open note'))
  await isAbove(true)
  await user.click(screen.getByText('close all'))
  await hasPage('/page')
  await isAbove(false)
  expect(screen.queryByText(/row 7/)).toBeNull()
})

test('what the page writes into its address while a drawer is open stays when it closes', async () => {
  const { user, router } = await start()
  await user.click(button('open drawer'))
  await isAbove(true)
  await router.navigate({ to: '.', search: { find: 'ann' }, replace: true } as never)
  await hasPage('/page?find=ann')
  window.history.back()
  await isAbove(false)
  await hasPage('/page?find=ann')
  expect(router.state.location.search).toEqual({ find: 'ann' })
})
